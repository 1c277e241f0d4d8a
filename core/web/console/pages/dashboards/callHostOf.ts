import { ApiFailure, type Api } from "../../api/index.ts";
import { HostError, type CallHost } from "../../../embed/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns the function with which a dashboard calls the host in the session of the browser. */
export function callHostOf(api: Api): CallHost {
  const callHost = async (resource: string, given: Json, options = {}): Promise<Json> => {
    const { action, ...members } = given;
    try {
      return await api.call(resource, String(action), members, options);
    } catch (failure) {
      throw hostError(failure);
    }
  };
  return Object.assign(callHost, {
    async file(resource: string, given: Json, options = {}) {
      const { action, ...members } = given;
      try {
        return await api.file(resource, String(action), members, options);
      } catch (failure) {
        throw hostError(failure);
      }
    },
  });
}

function hostError(failure: unknown): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const { message, status, requestId } = failure;
  return new HostError(message, status, { requestId, cause: failure });
}
