import { importing } from "./importing.ts";

/** Template of the program that serves a plugin. */
export const serveTemplate = `#!/usr/bin/env node
// Serves the plugin. PORT, HOST and SECRET come from the environment.
${importing("{ serve }")}
import plugin from "./plugin.ts";

const { PORT = "7070", HOST = "127.0.0.1", SECRET } = process.env;
const isLocal = HOST === "localhost" || HOST === "::1" || HOST.startsWith("127.");
const complain = (message: string): never => {
  console.error(message);
  process.exit(2);
};
if (!/^\\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
  complain(\`PORT must be a number from 0 to 65535, not \${JSON.stringify(PORT)}\`);
if (!SECRET && !isLocal)
  complain("set SECRET: without it, every machine that reaches HOST can read the data");

const served = await serve(plugin, {
  port: Number(PORT),
  host: HOST,
  ...(SECRET && { secret: SECRET }),
});
console.log(\`The plugin listens on \${served.url}\`);

// Under npm, the process receives Ctrl-C twice, but closes once.
let closed: Promise<void> | undefined;
async function close(): Promise<void> {
  await served.close();
  await plugin.close?.();
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void (closed ??= close()));
`;
