const open: Readonly<Record<string, readonly unknown[]>> = {
  country: ["get", "search"],
  user: ["create"],
};

/** Tells whether a call names no credentials at all and asks for what takes none: to read countries, to sign up. */
export function isAnonymous(body: Readonly<Record<string, unknown>>, resource: string): boolean {
  return (
    Object.hasOwn(open, resource) &&
    open[resource]?.includes(body["action"]) === true &&
    body["key"] === undefined &&
    body["token"] === undefined
  );
}
