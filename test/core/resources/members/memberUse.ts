/** Evidence that a member of a declaration has an effect, or the reason why it has none. */
export type MemberUse =
  | {
      /** Evidence that the host's code reads a member that callers set, or sets a member that callers only read. */
      readonly kind: "code";
      readonly file: string;
      /** An excerpt of the file that mentions the member. White space is ignored. */
      readonly code: string;
    }
  | {
      /** Evidence that a test changes the member and checks the effect. */
      readonly kind: "test";
      readonly file: string;
      readonly title: string;
    }
  /** The member is a foreign key: `associate` sets it, and includes use it. */
  | { readonly kind: "linked" }
  /**
   * The reason why the member has no effect in the host: the host returns it unchanged to client programs that read it.
   */
  | { readonly kind: "kept"; readonly reason: string };

/** Evidence for each member of a declaration. */
export type MemberUses = Readonly<Record<string, MemberUse>>;

/** Refers to code that reads or sets the member: a file of `core` and an excerpt of it. */
export const code = (file: string, excerpt: string): MemberUse => ({
  kind: "code",
  file: `core/${file}`,
  code: excerpt,
});

/** Refers to a test that shows the effect: a file of `test/core` and the test's title. */
export const test = (file: string, title: string): MemberUse => ({
  kind: "test",
  file: `test/core/${file}`,
  title,
});

export const linked: MemberUse = { kind: "linked" };

export const kept = (reason: string): MemberUse => ({ kind: "kept", reason });

/** The code that reads the members in which a `search` without `match_types` looks for its string. */
export const searched = code(
  "resources/kernel/find/search.ts",
  'usual = ["name", "description", "subtitle", "slug", "email", "tag"]',
);

/** Names that clients show, and by which `search` finds a record. */
export const described: MemberUses = { name: searched, description: searched };

export const metadata: MemberUses = {
  custom_metadata: kept(
    "free-form data of the embedding application, up to 65,536 bytes, which the host never reads",
  ),
};

/** The flags of a link that grants rights. */
export const rights = {
  flagRead: code("resources/rights/allow.ts", 'read: "flagRead"'),
  flagUse: code("resources/rights/allow.ts", 'use: "flagUse"'),
  flagModify: code("resources/rights/allow.ts", 'modify: "flagModify"'),
  flagOwn: code("resources/rights/allow.ts", 'own: "flagOwn"'),
} satisfies MemberUses;
