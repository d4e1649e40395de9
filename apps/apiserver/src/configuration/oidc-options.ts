/** Whose tokens count and how they name users, as kube-apiserver's options with the same names say it. */
export interface OidcOptions {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** Default `sub`. */
  readonly usernameClaim?: string | undefined;
  /** Default the issuer and `#`, except for the claim `email`; `-` for none. */
  readonly usernamePrefix?: string | undefined;
  readonly groupsClaim?: string | undefined;
  readonly groupsPrefix?: string | undefined;
  /** Claims that a token must have with these values. */
  readonly requiredClaims?: Readonly<Record<string, string>> | undefined;
  /** A file with the authorities that sign the issuer's certificate. */
  readonly caFile?: string | undefined;
}
