import type { PublicPart } from "./publicPart.ts";
import { clickbench } from "./parts/clickbench.ts";
import { h2o } from "./parts/h2o.ts";
import { ssb } from "./parts/ssb.ts";
import { taxi } from "./parts/taxi.ts";
import { tpch } from "./parts/tpch.ts";

/** The public benchmarks, by name. `rowCount` is the size of the largest table. */
export const publicParts = { clickbench, ssb, h2o, taxi, tpch } as const satisfies Readonly<
  Record<string, (rowCount: number, seed: number) => PublicPart>
>;
