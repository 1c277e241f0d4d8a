// src/main.ts
import { createApp } from "./createApp.ts";
import { setting } from "./setting.ts";

for (const name of [
  "MANIFOLD_URL",
  "MANIFOLD_KEY",
  "MANIFOLD_TOKEN",
  "DASHBOARD",
  "DATASET",
  "EVENTS_SECRET",
])
  setting(name);
const { hostname, port } = new URL(setting("APP_URL"));
createApp().listen(Number(port), hostname, () => console.log(`Open ${setting("APP_URL")}`));
