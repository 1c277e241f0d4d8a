#!/usr/bin/env node
import { cacheModules } from "./process/index.ts";

cacheModules();
const { runCommand } = await import("./command.ts");
await runCommand(process.argv.slice(2));
