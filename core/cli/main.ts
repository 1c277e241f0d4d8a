#!/usr/bin/env node
import { cacheModules, makeThreads, nodeComplaint } from "../base/index.ts";

// An older Node would fail at the first import that it does not support, with a message that mentions neither version.
const complaint = nodeComplaint(process.versions.node);
if (complaint === undefined) {
  makeThreads();
  cacheModules();
  const { runCommand } = await import("./command.ts");
  await runCommand(process.argv.slice(2));
} else {
  console.error(complaint);
  process.exitCode = 2;
}
