"""A notification service of a desktop: prints each notice that it is asked to show as a line of JSON."""
import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


class Notifications(dbus.service.Object):
    @dbus.service.method(NAME, in_signature="", out_signature="as")
    def GetCapabilities(self):
        return dbus.Array(sys.argv[1:], signature="s")

    @dbus.service.method(NAME, in_signature="", out_signature="ssss")
    def GetServerInformation(self):
        return ("test", "handler", "1", "1.2")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, expire):
        print(json.dumps({"app": app, "summary": summary, "body": body, "actions": list(actions)}), flush=True)
        return dbus.UInt32(1)


DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
service = Notifications(bus, "/org/freedesktop/Notifications")
print(json.dumps("ready"), flush=True)
GLib.MainLoop().run()
