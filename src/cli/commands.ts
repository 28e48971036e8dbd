import type { Command } from "./command.ts";
import { agentAdd } from "./commands/agent/add.ts";
import { agentList } from "./commands/agent/list.ts";
import { agentRemove } from "./commands/agent/remove.ts";
import { agentSelect } from "./commands/agent/select.ts";
import { agentShow } from "./commands/agent/show.ts";
import { appAdd } from "./commands/app/add.ts";
import { appBackup } from "./commands/app/backup.ts";
import { appCheck } from "./commands/app/check.ts";
import { appDeploy } from "./commands/app/deploy.ts";
import { appExport } from "./commands/app/export.ts";
import { appImport } from "./commands/app/import.ts";
import { appList } from "./commands/app/list.ts";
import { appLog } from "./commands/app/log.ts";
import { appNew } from "./commands/app/new.ts";
import { appOpen } from "./commands/app/open.ts";
import { appRemove } from "./commands/app/remove.ts";
import { appRename } from "./commands/app/rename.ts";
import { appRestore } from "./commands/app/restore.ts";
import { appRollback } from "./commands/app/rollback.ts";
import { appSettle } from "./commands/app/settle.ts";
import { appShare } from "./commands/app/share.ts";
import { appShortcut } from "./commands/app/shortcut.ts";
import { appShow } from "./commands/app/show.ts";
import { appStatus } from "./commands/app/status.ts";
import { appStop } from "./commands/app/stop.ts";
import { appVersions } from "./commands/app/versions.ts";
import { attach } from "./commands/attach.ts";
import { bindingAdd } from "./commands/binding/add.ts";
import { bindingList } from "./commands/binding/list.ts";
import { bindingRemove } from "./commands/binding/remove.ts";
import { bindingSelect } from "./commands/binding/select.ts";
import { bindingShow } from "./commands/binding/show.ts";
import { callsExport } from "./commands/calls/export.ts";
import { calls } from "./commands/calls/list.ts";
import { complete } from "./commands/complete.ts";
import { completions } from "./commands/completions.ts";
import { connect } from "./commands/connect.ts";
import { connectorCheck } from "./commands/connector/check.ts";
import { connectorCompare } from "./commands/connector/compare.ts";
import { connectorList } from "./commands/connector/list.ts";
import { connectorLog } from "./commands/connector/log.ts";
import { connectorRestart } from "./commands/connector/restart.ts";
import { connectorShow } from "./commands/connector/show.ts";
import { doctor } from "./commands/doctor.ts";
import { imageBuild } from "./commands/image/build.ts";
import { imagePull } from "./commands/image/pull.ts";
import { imageStatus } from "./commands/image/status.ts";
import { inbox } from "./commands/inbox/list.ts";
import { inboxRead } from "./commands/inbox/read.ts";
import { install } from "./commands/install.ts";
import { interfaceCheck } from "./commands/interface/check.ts";
import { interfaceList } from "./commands/interface/list.ts";
import { interfacePublish } from "./commands/interface/publish.ts";
import { interfaceShow } from "./commands/interface/show.ts";
import { interfaceStub } from "./commands/interface/stub.ts";
import { jobs } from "./commands/jobs/list.ts";
import { log } from "./commands/log.ts";
import { open } from "./commands/open.ts";
import { paths } from "./commands/paths.ts";
import { personAdd } from "./commands/person/add.ts";
import { personList } from "./commands/person/list.ts";
import { personRemove } from "./commands/person/remove.ts";
import { projectAdd } from "./commands/project/add.ts";
import { projectList } from "./commands/project/list.ts";
import { projectRemove } from "./commands/project/remove.ts";
import { projectSelect } from "./commands/project/select.ts";
import { projectShow } from "./commands/project/show.ts";
import { reload } from "./commands/reload.ts";
import { run } from "./commands/run.ts";
import { secretList } from "./commands/secret/list.ts";
import { secretRemove } from "./commands/secret/remove.ts";
import { secretSet } from "./commands/secret/set.ts";
import { sessions } from "./commands/sessions.ts";
import { settings } from "./commands/settings/list.ts";
import { settingsReset, settingsSet } from "./commands/settings/set.ts";
import { shutdown } from "./commands/shutdown.ts";
import { status } from "./commands/status.ts";
import { stop } from "./commands/stop.ts";
import { threadAnswer } from "./commands/thread/answer.ts";
import { threadExport } from "./commands/thread/export.ts";
import { threadImport } from "./commands/thread/import.ts";
import { threadContinue, threadStop, threadTerminate } from "./commands/thread/life.ts";
import { threadList } from "./commands/thread/list.ts";
import { threadLog } from "./commands/thread/log.ts";
import { threadMessages } from "./commands/thread/messages.ts";
import { threadNew } from "./commands/thread/new.ts";
import { threadRemove } from "./commands/thread/remove.ts";
import { threadSend } from "./commands/thread/send.ts";
import { threadShow } from "./commands/thread/show.ts";
import { threadWatch } from "./commands/thread/watch.ts";
import { threadsCheck } from "./commands/threads/check.ts";
import { threadsList } from "./commands/threads/list.ts";
import { threadsTypes } from "./commands/threads/types.ts";
import { trust } from "./commands/trust.ts";
import { uninstall } from "./commands/uninstall.ts";
import { update } from "./commands/update.ts";
import { version } from "./commands/version.ts";

/** All commands: what is parsed, what help shows and what shells complete. */
export const COMMANDS: readonly Command[] = [
  ...[open, status, doctor, paths, calls, callsExport, jobs, settings, settingsSet, settingsReset],
  ...[run, sessions, attach, log, stop, connect],
  ...[threadList, threadShow, threadNew, threadSend, threadWatch, threadMessages, threadLog, threadAnswer],
  ...[threadStop, threadContinue, threadTerminate, threadExport, threadImport, threadRemove],
  ...[threadsList, threadsCheck, threadsTypes],
  ...[
    appList,
    appShow,
    appStatus,
    appLog,
    appNew,
    appAdd,
    appCheck,
    appSettle,
    appDeploy,
    appRollback,
    appVersions,
  ],
  ...[
    appBackup,
    appRestore,
    appExport,
    appImport,
    appOpen,
    appShortcut,
    appShare,
    appStop,
    appRename,
    appRemove,
  ],
  ...[personList, personAdd, personRemove, inbox, inboxRead],
  ...[projectList, projectShow, projectAdd, projectSelect, projectRemove],
  ...[agentList, agentShow, agentAdd, agentSelect, agentRemove],
  ...[bindingList, bindingShow, bindingAdd, bindingSelect, bindingRemove],
  ...[secretList, secretSet, secretRemove, trust, reload],
  ...[interfaceList, interfaceShow, interfaceCheck, interfaceStub, interfacePublish],
  ...[connectorList, connectorShow, connectorCheck, connectorCompare, connectorLog, connectorRestart],
  ...[
    imageStatus,
    imageBuild,
    imagePull,
    install,
    update,
    uninstall,
    shutdown,
    completions,
    version,
    complete,
  ],
];
