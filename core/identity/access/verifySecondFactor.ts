import { ApiError } from "../../base/index.ts";
import type { FactorWay, SecondStep } from "../factors/index.ts";
import type { CheckedPerson, PasswordCaller } from "./createPasswordCheck.ts";
import { personOf } from "./principalOf.ts";
import type { SignInFailures } from "./openSignInFailures.ts";

export interface SecondStepParts {
  readonly secondStep: SecondStep;
  readonly failures: Pick<SignInFailures, "note">;
  readonly limits: { failed(address: string): void };
  readonly person: CheckedPerson;
  readonly code: unknown;
  readonly caller: PasswordCaller;
}

/**
 * Checks the second factor of a person whose password is correct. Undefined for a person without a second factor. A
 * wrong code counts as a failure of the caller's network.
 * @throws {ApiError} SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, SECOND_FACTOR_WAIT
 */
export async function verifySecondFactor(parts: SecondStepParts): Promise<FactorWay | undefined> {
  const { secondStep, failures, limits, person, code, caller } = parts;
  try {
    return await secondStep.verifyCode(person.user.id, code);
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "SECOND_FACTOR_WRONG") {
      limits.failed(caller.address);
      const { user, standing } = person;
      failures.note([personOf("", "login", user, standing)], ["password", "code"], caller);
    }
    throw failure;
  }
}
