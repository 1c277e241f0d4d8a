#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { needsOwnNode, runOnOwnNode } from "./ownNode/index.ts";

const args = process.argv.slice(2);
// Other modules are loaded only after this check, because an older Node would fail at the first import that it does not
// support. This file and the folder ownNode use only what Node 20 has.
if (needsOwnNode(process.versions.node)) await runOnOwnNode(fileURLToPath(import.meta.url), args);
else {
  // What `disableContextCells` does, before a module is loaded: cached modules are only valid with the same flags.
  setFlagsFromString("--no-function-context-cells");
  const { makeThreads } = await import("./makeThreads.ts");
  const { cacheModules } = await import("./cacheModules.ts");
  makeThreads();
  cacheModules();
  // In the published package, stack traces name the modules from which its bundle was created.
  process.setSourceMapsEnabled(true);
  const { runCommand } = await import("./command.ts");
  await runCommand(args);
}
