/** A member of a context: an element that sends its reader's selection to the others, and receives theirs. */
export interface ContextMember {
  /** Whether the selections of the others filter this member. */
  readonly canBeFiltered: boolean;
  /** The selection of the member's reader; undefined if nothing is selected. */
  readonly selection: { readonly where: readonly object[]; readonly label: string } | undefined;
  /** Filters the member by the selection of another member. Without `where`, removes the filter. */
  filterBy(source: string, where?: readonly object[], label?: string): void;
}

const contexts = new Map<string, Map<string, ContextMember>>();
let joinedCount = 0;

/** A place in a context. */
export interface ContextPlace {
  /** Sends the member's selection to the others. */
  send(): void;
  /** Applies the selections of the others to the member. */
  receive(): void;
  /** Leaves the context. The member's selection no longer filters the others. */
  leave(): void;
}

/** Adds a member to the context of a page that a name identifies. */
export function joinContext(contextId: string, member: ContextMember): ContextPlace {
  const members = contexts.get(contextId) ?? new Map<string, ContextMember>();
  contexts.set(contextId, members);
  const source = `context ${++joinedCount}`;
  members.set(source, member);
  const tell = (selection: ContextMember["selection"]) => {
    for (const other of members.values())
      if (other !== member && other.canBeFiltered)
        other.filterBy(source, selection?.where, selection?.label);
  };
  return {
    send: () => tell(member.selection),
    receive() {
      if (!member.canBeFiltered) return;
      for (const [from, other] of members)
        if (other !== member) member.filterBy(from, other.selection?.where, other.selection?.label);
    },
    leave() {
      members.delete(source);
      tell(undefined);
      if (members.size === 0) contexts.delete(contextId);
    },
  };
}
