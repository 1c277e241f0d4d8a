import { constants, setPriority } from "node:os";

/** The process that runs a command: its environment and its output. */
export interface CommandProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  readonly write: (line: string) => void;
  /** Writes text to standard output without adding a line break. */
  readonly writeText: (text: string) => void;
  /** Writes a line to standard error. */
  readonly note: (line: string) => void;
  /** Resolves when standard output is closed. */
  readonly outputClosed: Promise<void>;
}

/** A command of `manifold`. Its modules are loaded when it is called. */
export interface Command {
  /** Returns the lines of help. Commands with the same function share one section. */
  readonly usage: () => Promise<readonly string[]>;
  /** Runs the command. Returns the exit status, 0 by default. */
  readonly run: (args: string[], process: CommandProcess) => Promise<number | void>;
}

const transfer = () => import("../operating/transfer/index.ts");
const transferUsage = async () => (await transfer()).transferUsage;
const backup = () => import("../operating/backup/index.ts");
const backupUsage = async () => (await backup()).backupUsage;

/** All commands except `serve`, in the order of the help. */
export const commands: Readonly<Record<string, Command>> = {
  open: {
    usage: async () => (await import("./runOpenCommand.ts")).openUsage,
    run: async (args, { environment, write }) =>
      (await import("./runOpenCommand.ts")).runOpenCommand(args, environment, write),
  },
  export: {
    usage: transferUsage,
    run: async (args, { environment, write }) =>
      (await transfer()).runTransfer("export", args, environment, write),
  },
  pull: {
    usage: transferUsage,
    run: async (args, { environment, write }) => {
      const { ownConnectorSlugs } = await import("../sources/index.ts");
      return (await transfer()).runPull(args, environment, ownConnectorSlugs, write);
    },
  },
  diff: {
    usage: transferUsage,
    run: async (args, { environment, write }) =>
      (await transfer()).runTransfer("diff", args, environment, write),
  },
  apply: {
    usage: transferUsage,
    run: async (args, { environment, write }) =>
      (await transfer()).runTransfer("apply", args, environment, write),
  },
  upload: {
    usage: async () => (await import("./runUploadCommand.ts")).uploadUsage,
    run: async (args, process) =>
      (await import("./runUploadCommand.ts")).runUploadCommand(args, process),
  },
  jobs: {
    usage: async () => (await import("./runJobsCommand.ts")).jobsUsage,
    run: async (args, { environment, write }) =>
      (await import("./runJobsCommand.ts")).runJobsCommand(args, environment, write),
  },
  audit: {
    usage: async () => (await import("./runAuditCommand.ts")).auditUsage,
    run: async (args, process) =>
      (await import("./runAuditCommand.ts")).runAuditCommand(args, process),
  },
  plugin: {
    usage: async () => (await import("../operating/authoring/index.ts")).pluginUsage,
    run: async (args, process) =>
      (await import("../operating/authoring/index.ts")).runPluginCommand(args, process),
  },
  "verify-isolation": {
    usage: async () => (await import("../operating/isolation/index.ts")).isolationUsage,
    run: async (args, { environment, writeText, note }) =>
      (await import("../operating/isolation/index.ts")).runVerifyIsolation(args, {
        environment,
        write: writeText,
        note,
      }),
  },
  owner: {
    usage: async () => (await import("./runOwnerCommand.ts")).ownerUsage,
    run: async (args, { environment, write }) =>
      (await import("./runOwnerCommand.ts")).runOwnerCommand(args, environment, write),
  },
  quota: {
    usage: async () => (await import("./runQuotaCommand.ts")).quotaUsage,
    run: async (args, { environment, write }) =>
      (await import("./runQuotaCommand.ts")).runQuotaCommand(args, environment, write),
  },
  backup: {
    usage: backupUsage,
    run: async (args, process) => {
      // A running host takes priority over a backup.
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      return (await backup()).runBackupCommand(args, process);
    },
  },
  restore: {
    usage: backupUsage,
    run: async (args, process) => (await backup()).runRestoreCommand(args, process),
  },
  move: {
    usage: async () => (await import("../operating/move/index.ts")).moveUsage,
    run: async (args, process) =>
      (await import("../operating/move/index.ts")).runMoveCommand(args, process),
  },
  doctor: {
    usage: async () => (await import("../operating/doctor/index.ts")).doctorUsage,
    run: async (args, process) =>
      (await import("../operating/doctor/index.ts")).runDoctor(args, process),
  },
  secret: {
    usage: async () => (await import("../operating/secrets/index.ts")).secretUsage,
    run: async (args, process) =>
      (await import("../operating/secrets/index.ts")).runSecretCommand(args, process),
  },
  install: {
    usage: async () => (await import("./runInstallCommand.ts")).installUsage,
    run: async (args, { environment, write }) =>
      (await import("./runInstallCommand.ts")).runInstallCommand(args, environment, write),
  },
};
