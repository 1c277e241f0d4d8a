import { rowGroupSize } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundPlan } from "../../plan/boundPlan.ts";
import { compileFilter } from "../filter/filter.ts";
import { openCompilation } from "../filter/openCompilation.ts";
import { KeyChain } from "../keys/keyChain.ts";
import { VectorSource, vectorBytes } from "../rows/vectorSource.ts";
import type { Arena } from "../task/arena.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import { Workspace } from "../task/workspace.ts";
import { compileHashColumn } from "./hashColumns.ts";
import { hashInputs } from "./hashInputs.ts";

/** The groups in a sample of the rows that zone maps do not exclude. */
export interface SampledGroups {
  /** Number of rows in the row groups that zone maps do not exclude. */
  readonly openRowCount: number;
  /** Number of sampled rows. */
  readonly rowCount: number;
  /** Number of sampled rows that pass the filter. */
  readonly passingCount: number;
  /** Number of groups of these rows. */
  readonly groupCount: number;
}

/** Number of vectors in the sample. They are spread evenly over the row groups that zone maps do not exclude. */
const sampledVectors = 16;
const vectorsPerRowGroup = rowGroupSize / vectorSize;

/** Compiles the sampling of a plan's groups, which takes about a millisecond. */
export function compileSample(
  plan: BoundPlan,
  grouping: BoundGrouping,
  place: {
    readonly arenas: readonly Arena[];
    readonly bases: readonly number[];
    readonly heap: Heap;
  },
): { readonly sizeBytes: number; run(): SampledGroups } {
  const { heap } = place;
  const workspace = new Workspace();
  workspace.endStates();
  const source = new VectorSource(place.arenas, place.bases, plan.columns, workspace);
  const compilation = openCompilation(source, workspace);
  const filter = compileFilter(plan, compilation);
  const { columns: inputs, parts } = hashInputs(grouping);
  const columns = inputs
    .slice(0, parts.length)
    .map((input) => compileHashColumn(input, compilation));
  return {
    sizeBytes: workspace.sizeBytes,
    run: () => {
      source.begin();
      heap.clear();
      const chain = new KeyChain(
        heap,
        columns.map(({ kind }) => kind),
      );
      const vectors = columns.map(() => heap.reserve(vectorBytes));
      const numbers = heap.reserve(vectorSize * 4);
      const rowGroupCount = Math.ceil(plan.rowCount / rowGroupSize);
      const open: number[] = [];
      let openRowCount = 0;
      for (let rowGroup = 0; rowGroup < rowGroupCount; rowGroup++) {
        source.openRowGroup(rowGroup);
        if (filter?.openRowGroup() === "none") continue;
        open.push(rowGroup);
        openRowCount += source.rowGroupRowCount(plan.rowCount);
      }
      const vectorCount = Math.ceil(openRowCount / vectorSize);
      const takenCount = Math.min(sampledVectors, vectorCount);
      let rowCount = 0;
      let passingCount = 0;
      for (let taken = 0; taken < takenCount; taken++) {
        endIfCancelled();
        const vector = Math.floor((vectorCount * (taken + 0.5)) / takenCount);
        source.openRowGroup(open[Math.floor(vector / vectorsPerRowGroup)]);
        const start = (vector % vectorsPerRowGroup) * vectorSize;
        const vectorRowCount = Math.min(vectorSize, source.rowGroupRowCount(plan.rowCount) - start);
        rowCount += vectorRowCount;
        const pruning = filter ? filter.openRowGroup() : "all";
        for (const column of columns) column.openRowGroup();
        source.openVector(start, vectorRowCount);
        if (filter && pruning === "some" && filter.apply() === 0) continue;
        columns.forEach((column, index) => column.copy(heap.arena, vectors[index]));
        chain.find(vectors, source.rowCount, numbers);
        passingCount += source.rowCount;
      }
      return { openRowCount, rowCount, passingCount, groupCount: chain.count };
    },
  };
}
