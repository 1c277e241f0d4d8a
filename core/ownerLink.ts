/** A link with which a browser on the host's machine signs in as an owner, and the e-mail address of the owner. */
export interface OwnerLink {
  readonly url: string;
  readonly email: string;
}
