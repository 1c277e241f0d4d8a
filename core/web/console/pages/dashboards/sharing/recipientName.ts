import { textOf } from "../../../language/index.ts";
import type { Recipient } from "../../../sharing/index.ts";
import { words } from "./words.ts";

/** Returns the name of a person, group or integration, as people read it. */
export const recipientName = ({ name, email, is_public: isPublic }: Recipient): string =>
  isPublic ? words.everyone : textOf(name) || email || words.somebody;
