import { hierarchyFields, problemOf, type Field } from "../../resources/index.ts";
import { compileExpression, ExpressionError, readRole } from "../../queries/index.ts";
import { DataType } from "../../../plugins/protocol/index.ts";
import { Value } from "typebox/value";
import { subjectOf, type Finding } from "./finding.ts";
import type { Json } from "./json.ts";
import { carried, kindsOf } from "./kinds.ts";
import type { TransferRecord } from "./record.ts";

/** Records that this version can store, and how they differ from the records that were read. */
export interface Adapted {
  readonly records: readonly TransferRecord[];
  readonly findings: readonly Finding[];
}

/** Returns a value in the form of this host: other hosts may return a plain string where names have languages. */
function inOwnForm(field: Field, value: unknown): unknown {
  if (typeof value !== "string" || problemOf(field, value) === undefined) return value;
  const translated = { en: value };
  return problemOf(field, translated) === undefined ? translated : value;
}

const elementMembers = ["id", ...Object.keys(hierarchyFields)];

/**
 * Makes records of another host storable by this version. Leaves out values, links and records that it would refuse,
 * and turns datasets whose source it cannot reach into stored datasets. `connectors` are the slugs of the sources that
 * it can reach. The records must be in the order of their creation. O(records).
 */
export function adaptRecords(
  records: readonly TransferRecord[],
  connectors: readonly string[],
): Adapted {
  const findings: Finding[] = [];
  const kept = new Map<string, TransferRecord>();
  const present = new Map(records.map((record) => [record.id, record]));
  const slugs = new Set(connectors);
  const columnCounts = new Map<string, number>();
  const say = (record: TransferRecord, problem: string) =>
    findings.push({ subject: subjectOf(record), problem });

  /** Returns the properties that can be stored; undefined if a required member is missing. */
  const propertiesOf = (record: TransferRecord): Json | undefined => {
    const properties: Record<string, unknown> = {};
    for (const [member, field] of carried(record.kind)) {
      const given = inOwnForm(field, record.properties[member]);
      const problem = given === undefined ? undefined : problemOf(field, given);
      const target = field.refersTo && kindsOf(field.refersTo[0]).length > 0 ? given : undefined;
      const isLost = typeof target === "string" && !present.has(target.toLowerCase());
      if (given !== undefined && problem === undefined && !isLost) {
        properties[member] = given;
        continue;
      }
      if (given !== undefined && given !== null) {
        const shown = JSON.stringify(given).slice(0, 80);
        say(
          record,
          isLost
            ? `loses ${member} ${shown}, because that record was not read`
            : `loses ${member} ${shown}: it ${problem}`,
        );
      }
      if (!field.required) continue;
      say(record, `is left out, because it has no usable ${member}: ${field.expects}`);
      return undefined;
    }
    return properties;
  };

  /** Returns why an expression cannot be used here; undefined if it can. */
  const expressionProblem = ({ kind, properties }: TransferRecord): string | undefined => {
    const { expression } = properties;
    if ((kind !== "column" && kind !== "formula") || typeof expression !== "string" || !expression)
      return undefined;
    try {
      compileExpression(expression, {
        kind,
        resolve: ({ datasetId, columnId }) => {
          const named = (readRole(datasetId)?.datasetId ?? datasetId).toLowerCase();
          const column = present.get(columnId.toLowerCase());
          if (column?.kind !== "column" || column.parent !== named) return undefined;
          const { type, subtype, expression: own } = column.properties;
          if (own) return { problem: "a derived column" };
          if (!Value.Check(DataType, type)) return { problem: `a column of type ${String(type)}` };
          return { type, isDate: subtype === "date" };
        },
      });
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ExpressionError)) throw failure;
      return failure.message;
    }
  };

  /** Returns the source of a dataset. A dataset of an account that is not kept becomes a stored dataset. */
  const sourceOf = (record: TransferRecord): Pick<TransferRecord, "source"> => {
    const { source } = record;
    if (!source || source.kind === "pushed") return source ? { source } : {};
    if (kept.has(source.account.toLowerCase())) return { source };
    say(
      record,
      "becomes a stored dataset, because its connection is not available here: its rows no longer follow the source",
    );
    return { source: { kind: "pushed" } };
  };

  for (const read of records) {
    if (read.parent !== undefined && !kept.has(read.parent)) continue;
    const { provider } = read.properties;
    if (read.kind === "account" && !slugs.has(String(provider))) {
      say(read, `is left out, because this version has no connector or plugin ${String(provider)}`);
      continue;
    }
    const problem = expressionProblem(read);
    if (problem !== undefined) {
      say(read, `is left out, because its expression is not understood: ${problem}`);
      continue;
    }
    const position = columnCounts.get(read.parent ?? "") ?? 0;
    const numbered =
      read.kind === "column"
        ? { ...read, properties: { ...read.properties, ...columnNames(read, position) } }
        : read;
    if (read.kind === "column") columnCounts.set(read.parent ?? "", position + 1);
    const properties = propertiesOf(numbered);
    if (!properties) continue;
    const { slug, type = "hierarchy" } = properties;
    if (read.kind === "plugin") slugs.add(String(slug));
    const isStored =
      read.kind === "column" && kept.get(read.parent ?? "")?.source?.kind === "pushed";
    const isText = isStored && !Value.Check(DataType, type);
    if (isText)
      say(
        read,
        `becomes a column of strings, because values of type ${String(type)} cannot be stored here: they arrive as JSON`,
      );
    kept.set(read.id, {
      ...read,
      properties: isText ? { ...properties, type: "hierarchy", subtype: null } : properties,
      ...sourceOf(read),
      ...(read.members && { members: read.members.filter(({ email }) => email.includes("@")) }),
      ...(read.elements && { elements: read.elements.map(knownMembers) }),
    });
  }
  return { records: [...kept.values()], findings };
}

/** Returns the position and the source name of a column, for hosts that do not return them. */
function columnNames({ id, properties }: TransferRecord, position: number): Json {
  const { order, source_name: sourceName, name, expression } = properties;
  const title = typeof name === "object" && name !== null ? Object.values(name)[0] : name;
  return {
    order: order ?? position,
    ...(!expression && { source_name: sourceName ?? title ?? id }),
  };
}

/** Returns the members of a value's label that this version stores. */
const knownMembers = (element: Json): Json =>
  Object.fromEntries(
    Object.entries(element).filter(
      ([member, value]) => elementMembers.includes(member) && value !== undefined,
    ),
  );
