import { createRoot } from "react-dom/client";
import "@manifold-analytics/embed";
import { findPlace, readSettings } from "../readSettings.ts";
import { App } from "./app.tsx";

const settings = await readSettings();
createRoot(findPlace()).render(<App {...settings} />);
