// Serves the plugin of the bench `conformance` in a separate process.
import { serve } from "../../plugins/sdk/index.ts";
import { plantedPlugin } from "../plugins/conformance/plantedLiars.ts";

const { url } = await serve(plantedPlugin());
process.send?.(url);
