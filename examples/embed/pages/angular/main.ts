import "@angular/compiler";
import { bootstrapApplication } from "@angular/platform-browser";
import "@manifold-analytics/embed";
import { readSettings } from "../readSettings.ts";
import { App, pageSettings } from "./app.ts";

const settings = await readSettings();
await bootstrapApplication(App, { providers: [{ provide: pageSettings, useValue: settings }] });
