/** The end of every plugin: it serves itself when it is started alone. */
export const serveTemplate = `
// Started alone, it serves itself: PORT=7070 SECRET=… node plugin.ts
if (import.meta.main) {
  const { PORT = "0", SECRET } = process.env;
  const served = await serve(plugin, { port: Number(PORT), ...(SECRET && { secret: SECRET }) });
  console.log("The plugin listens on " + served.url);
}
`;
