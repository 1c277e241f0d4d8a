// Draws one picture in a separate thread, because encoding 40 million pixels takes two seconds.
import { parentPort, workerData } from "node:worker_threads";
import { Resvg } from "@resvg/resvg-js";

/** The message to the thread that draws a picture. */
export interface RasterTask {
  readonly svg: string;
  readonly scale: number;
}

const { svg, scale }: RasterTask = workerData;
const image = new Resvg(svg, {
  fitTo: { mode: "zoom", value: scale },
  font: { loadSystemFonts: false },
}).render();
const png = Uint8Array.from(image.asPng());
parentPort?.postMessage(png, [png.buffer]);
