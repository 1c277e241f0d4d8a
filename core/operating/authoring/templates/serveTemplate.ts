/** The last lines of every generated plugin. They serve the plugin when its file is run directly. */
export const serveTemplate = `
// Serves the plugin when this file is run directly: PORT=7070 SECRET=… node plugin.ts
if (import.meta.main) {
  const { PORT = "0", SECRET } = process.env;
  const served = await serve(plugin, { port: Number(PORT), ...(SECRET && { secret: SECRET }) });
  console.log("The plugin listens on " + served.url);
}
`;
