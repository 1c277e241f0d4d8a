import { ApiError } from "../../base/index.ts";

/** The user whose password is checked. */
interface Owner {
  readonly email: string;
  readonly name?: string | null | undefined;
}

/** Minimum number of characters that are not part of the user's name or e-mail address. */
const otherCount = 8;
const shortestPart = 4;
const leastDistinct = 5;

/** The 49,233 most common passwords, loaded when the first password is set. */
let common: Promise<ReadonlySet<string>> | undefined;

async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].map(String));
}

const comparable = (text: string): string => text.normalize("NFKC").toLowerCase();

/**
 * Refuses a password that guessers try first: a common password, a password with few different characters, or a
 * password that is little more than its user's name or e-mail address. The common passwords are from
 * @zxcvbn-ts/language-common; nothing leaves the host.
 * @throws {ApiError} MEMBER_INVALID
 */
export async function refuseWeakPassword(given: string, { email, name }: Owner): Promise<void> {
  const password = comparable(given);
  const refuse = (problem: string): never => {
    throw new ApiError("MEMBER_INVALID", ["properties.password", problem]);
  };
  common ??= readCommon();
  const listed = await common;
  if (listed.has(password) || isRepeated(password, listed))
    refuse("it is one of the passwords that are guessed first; choose several words instead");
  if (new Set(password).size < leastDistinct)
    refuse(`it must have at least ${leastDistinct} different characters`);
  const [local = ""] = comparable(email).split("@");
  const parts = [comparable(email), local, ...comparable(name ?? "").split(/\s+/)];
  const left = parts
    .filter((part) => part.length >= shortestPart)
    .reduce((rest, part) => rest.replaceAll(part, ""), password);
  if (left.length < password.length && left.length < otherCount)
    refuse(
      "it contains little more than the name or e-mail address of the user; choose another password",
    );
}

/** Returns whether a password repeats a common password several times. */
function isRepeated(password: string, listed: ReadonlySet<string>): boolean {
  for (const times of [2, 3, 4]) {
    const part = password.slice(0, password.length / times);
    if (part.repeat(times) === password && listed.has(part)) return true;
  }
  return false;
}
