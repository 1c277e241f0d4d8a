import { createApp } from "vue";
import "@manifold-analytics/embed";
import { findPlace, readSettings } from "../readSettings.ts";
import App from "./app.vue";

const settings = await readSettings();
createApp(App, { ...settings }).mount(findPlace());
