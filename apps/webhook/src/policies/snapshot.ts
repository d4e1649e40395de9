/** The text of one file or object, and the name by which problems speak of it. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** Something that keeps a set of policies from being used. */
export interface Problem {
  /** Where it is: a file with line and column, or the object that it is about. */
  readonly place: string;
  readonly message: string;
}

/** All sources of policies at one moment; a set that is used or refused as a whole. */
export interface Snapshot {
  readonly sources: readonly SourceText[];
  /**
   * Objects of a cluster. One that cannot be used is not used, or as it was when it could be: nobody could repair
   * it if it kept all others from being used.
   */
  readonly clusterObjects?: readonly SourceText[];
  /** Kinds of parameters (`APIVERSION KIND`) of the cluster that may not be read. */
  readonly unreadableKinds?: readonly string[];
  /** The version of the cluster that they are from. */
  readonly clusterVersion?: string | undefined;
  /** What could not be read. */
  readonly problems: readonly Problem[];
}
