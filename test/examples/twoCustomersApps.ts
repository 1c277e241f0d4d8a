import { blocksFor } from "../documentation/readBlocks.ts";
import type { PackageSetName } from "../packages/packageSets.ts";

/** An example app whose users belong to two customers. */
export interface TwoCustomersApp {
  /** Folder of the example. */
  readonly example: string;
  readonly packages: PackageSetName;
  /** The tutorial, whose commands the tests run. */
  readonly page: string;
  /** The picture at the top of the tutorial. */
  readonly picture: string;
}

/** The examples, by framework. */
export const twoCustomersApps = {
  express: {
    example: "examples/express-app",
    packages: "express",
    page: "docs/tutorials/EXPRESS_APP.md",
    picture: "docs/express-app.png",
  },
  next: {
    example: "examples/next-app",
    packages: "next",
    page: "docs/tutorials/NEXT_APP.md",
    picture: "docs/next-app.png",
  },
} as const satisfies Readonly<Record<string, TwoCustomersApp>>;

/** The commands of a tutorial, in their order. */
export interface TutorialCommands {
  readonly model: string;
  readonly users: string;
  readonly push: string;
  readonly verify: string;
  readonly release: string;
}

/** Returns the commands of a tutorial. */
export function commandsOf({ page }: TwoCustomersApp): TutorialCommands {
  const [model = "", users = "", push = "", verify = "", release = ""] = blocksFor(
    page,
    "twoCustomers",
  )
    .filter(({ language }) => language === "sh")
    .map(({ text }) => text);
  return { model, users, push, verify, release };
}
