// The console: browser scripts that are clients of the API. The host serves the scripts, and imports none of them.
// May import: core/web/embed.
export * from "../embed/index.ts";
