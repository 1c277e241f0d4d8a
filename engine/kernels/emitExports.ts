import type { KernelTable } from "./kernelTable.ts";
import type { KernelVariant } from "./table/kernelEntry.ts";

/** A function that a module in `assembly/` exports. */
interface SourceFunction {
  readonly module: string;
  readonly isGeneric: boolean;
  /** The parameters, each in the form `name: type`. */
  readonly parameters: readonly string[];
  readonly result: string;
}

const exportedFunction = /^export function (\w+)(<[^>(]*>)?\(([^)]*)\): (\w+) \{/gm;

/**
 * Returns the AssemblyScript module that exports the kernels of the tables. If a source contains a function whose name
 * is that of a variant, the module re-exports this function. Otherwise, the export calls the generic function with the
 * variant's types. `sources` contains the contents of `assembly/`, by module name.
 * @throws if a variant has neither function
 */
export function emitExports(
  tables: readonly KernelTable[],
  sources: ReadonlyMap<string, string>,
): string {
  const functions = readFunctions(sources);
  const modules = new Set<string>();
  const lines = new Map<string, string>();
  for (const table of tables)
    for (const [name, { generic = name, variants }] of Object.entries(table))
      for (const variant of variants) {
        const exported = name + variant.ending;
        if (lines.has(exported)) continue;
        const { module, line } = emitExport(exported, generic, variant, functions);
        modules.add(module);
        lines.set(exported, line);
      }
  const imports = [...modules].map((module) => `import * as ${module} from "./${module}";`);
  // Constants are exported so that no compiler may assume their values; see `assembly/constants.ts`.
  return [...imports, 'export * from "./constants";', ...lines.values(), ""].join("\n");
}

function emitExport(
  exported: string,
  generic: string,
  { types }: KernelVariant,
  functions: ReadonlyMap<string, SourceFunction>,
): { readonly module: string; readonly line: string } {
  const own = functions.get(exported);
  if (own && !own.isGeneric)
    return { module: own.module, line: `export { ${exported} } from "./${own.module}";` };
  const found = functions.get(generic);
  if (!found?.isGeneric || types.length === 0)
    throw new Error(
      `kernelTable.ts declares ${exported}, but assembly/ exports neither ${exported} nor ${generic}<T>: add one of them`,
    );
  const { module, parameters, result } = found;
  const names = parameters.map((parameter) => parameter.split(":")[0]);
  const call = `${module}.${generic}<${types.join(", ")}>(${names.join(", ")})`;
  const body = result === "void" ? `${call};` : `return ${call};`;
  const head = `export function ${exported}(${parameters.join(", ")}): ${result}`;
  return { module, line: `${head} { ${body} }` };
}

function readFunctions(sources: ReadonlyMap<string, string>): ReadonlyMap<string, SourceFunction> {
  const functions = new Map<string, SourceFunction>();
  for (const [module, source] of sources)
    for (const [, name, typeParameters, list, result] of source.matchAll(exportedFunction)) {
      const isGeneric = typeParameters !== undefined;
      const parameters = list.split(",").flatMap((parameter) => parameter.trim() || []);
      functions.set(name, { module, isGeneric, parameters, result });
    }
  return functions;
}
