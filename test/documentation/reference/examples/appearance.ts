import { exampleId, ids } from "../exampleIds.ts";
import type { ExamplesFor } from "./example.ts";

const theme = exampleId("theme");
const chart = exampleId("customchart");
const thumbnail = exampleId("thumbnail");
const script = "manifold.draw = () => {};";

export const appearanceExamples: ExamplesFor<
  "theme" | "customchart" | "customchartversion" | "thumbnail"
> = {
  theme: {
    validate: { properties: { name: "Acme", theme: { mainColor: "#1A2B3C" } } },
    create: { properties: { name: "Acme", theme: { type: "light", mainColor: "#1A2B3C" } } },
    get: { find: { where: { id: theme }, attributes: ["id", "name", "theme"] } },
    update: { id: theme, properties: { theme: { type: "dark", mainColor: "#A1B2C3" } } },
    delete: { id: theme },
  },
  customchart: {
    validate: { properties: { name: "Tides", type: "tides", script } },
    create: { properties: { name: "Tides", type: "tides", script } },
    get: { find: { where: { id: chart }, attributes: ["id", "name", "type"] } },
    update: { id: chart, properties: { name: { en: "Tides", nl: "Getijden" } } },
    delete: { id: chart },
  },
  customchartversion: {
    get: { find: { where: { customchart_id: ids.sunflower }, attributes: ["id", "name", "type"] } },
  },
  thumbnail: {
    validate: { properties: { size: "32px", url: "https://pictures.example.org/orders.png" } },
    create: { properties: { size: "32px", url: "https://pictures.example.org/orders.png" } },
    get: { find: { where: { id: thumbnail }, attributes: ["id", "size", "url"] } },
    update: { id: thumbnail, properties: { size: "64px" } },
    associate: { id: thumbnail, resource: { role: "Securables", id: ids.board } },
    dissociate: { id: thumbnail, resource: { role: "Securables", id: ids.board } },
    delete: { id: thumbnail },
  },
};
