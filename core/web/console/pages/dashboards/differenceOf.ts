import type { BoardItem, BoardView, Contents } from "./contents.ts";

/** An item or member that differs between two versions of contents. */
export interface Difference {
  readonly what: "added" | "removed" | "changed";
  /** The screen of the item or filters; undefined for members of all screens. */
  readonly screen?: string;
  /** The item; undefined for other parts of the contents. */
  readonly item?: BoardItem;
  /** Names of the changed members, such as `position`. */
  readonly members: readonly string[];
}

type Stored = Readonly<Record<string, unknown>>;

/** Lists the differences between two versions of contents: items by id, other members by name. */
export function differenceOf(before: Contents, after: Contents): Difference[] {
  const found: Difference[] = [];
  const viewsOf = ({ views = [] }: Contents) =>
    new Map(views.map((view): [string, BoardView] => [view.screenModus, view]));
  const [old, now] = [viewsOf(before), viewsOf(after)];
  for (const screen of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(screen), now.get(screen)];
    found.push(...itemsBetween(was, is, screen));
    const members = changedMembers(was, is, ["items", "screenModus"]);
    // Adding or removing a view adds or removes its items.
    if (was && is && members.length > 0) found.push({ what: "changed", screen, members });
  }
  const members = changedMembers(before, after, ["views", "version"]);
  return members.length > 0 ? [...found, { what: "changed", members }] : found;
}

function itemsBetween(
  before: BoardView | undefined,
  after: BoardView | undefined,
  screen: string,
): Difference[] {
  const byId = (view: BoardView | undefined) =>
    new Map((view?.items ?? []).map((item): [string, BoardItem] => [item.id, item]));
  const [old, now] = [byId(before), byId(after)];
  const added = [...now.values()].filter(({ id }) => !old.has(id));
  const removed = [...old.values()].filter(({ id }) => !now.has(id));
  const changed = [...now.values()].flatMap((item): Difference[] => {
    const was = old.get(item.id);
    const members = was ? changedMembers(was, item, ["id"]) : [];
    return members.length > 0 ? [{ what: "changed", screen, item, members }] : [];
  });
  return [
    ...added.map((item): Difference => ({ what: "added", screen, item, members: [] })),
    ...removed.map((item): Difference => ({ what: "removed", screen, item, members: [] })),
    ...changed,
  ];
}

function changedMembers(
  before: object | undefined,
  after: object | undefined,
  without: readonly string[],
): string[] {
  const [old, now]: readonly Stored[] = [{ ...before }, { ...after }];
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...names].filter(
    (name) => !without.includes(name) && written(old?.[name]) !== written(now?.[name]),
  );
}

/** Returns a value as JSON with sorted members, because the host does not keep their order. */
function written(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(
            Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)),
          )
        : each,
    ) ?? ""
  );
}
