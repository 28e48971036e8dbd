import assert from "node:assert/strict";
import { installCommand, installerOf } from "./distribution.ts";

Deno.test("every distribution by its own name, or by those that it is like", () => {
  assert.equal(installerOf('PRETTY_NAME="Debian"\nID=debian\n'), "apt");
  assert.equal(installerOf('ID=zorin\nID_LIKE="ubuntu debian"\n'), "apt");
  assert.equal(installerOf('ID="rocky"\nID_LIKE="rhel centos fedora"\n'), "dnf");
  assert.equal(installerOf("ID=cachyos\nID_LIKE=arch\n"), "pacman");
  assert.equal(installerOf('ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n'), "zypper");
  assert.equal(installerOf("ID=alpine\n"), "apk");
  assert.equal(installerOf("ID=nixos\n"), undefined);
  assert.equal(installerOf(""), undefined);
});

Deno.test("a program is named as its package is there", () => {
  assert.equal(installCommand("secret-tool", "apt"), "sudo apt install libsecret-tools");
  assert.equal(installCommand("podman", "dnf"), "sudo dnf install podman");
  assert.equal(installCommand("bubblewrap", undefined), "install bubblewrap");
});
