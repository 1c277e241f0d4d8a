// This example serves a React, Vue or Angular page that contains a dashboard. Start it with `npm run embed -- react`
// and the settings of the README.
import { frameworks } from "./bundlePage.ts";
import { servePage } from "./servePage.ts";

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. The README of examples/embed lists the settings.`);
}

const framework = frameworks.find((name) => name === process.argv[2]);
if (!framework) throw new Error(`the framework must be one of ${frameworks.join(", ")}`);
const page = await servePage({
  framework,
  hostUrl: setting("MANIFOLD_URL"),
  key: setting("MANIFOLD_KEY"),
  token: setting("MANIFOLD_TOKEN"),
  dashboardId: setting("DASHBOARD"),
  datasetIds: setting("DATASETS").split(","),
  port: Number(process.env["PORT"] ?? 0),
});
console.log(`The page of ${framework}: ${page.url}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void page.close());
