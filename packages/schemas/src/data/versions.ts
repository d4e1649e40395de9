/** Minor versions and the exact versions that their facts come from. Written by tooling/schemas. */
export const versions: readonly (readonly [minor: number, patch: string])[] = [[37,"1.37.1"],[36,"1.36.3"],[35,"1.35.4"],[34,"1.34.3"],[33,"1.33.13"],[32,"1.32.13"],[31,"1.31.14"],[30,"1.30.14"]];
