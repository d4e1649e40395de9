/** A name that cannot be given, and why. */
export class RenameError extends Error {}
