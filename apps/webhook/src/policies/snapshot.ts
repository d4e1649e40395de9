/** The text of one file or object, and the name by which problems speak of it. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** A problem that keeps a set of policies from being used. */
export interface Problem {
  /** Where it is: a file with line and column, or the object that it is about. */
  readonly place: string;
  readonly message: string;
  /** The name of the source of an object of a cluster. */
  readonly source?: string | undefined;
}

/** All sources of policies at one moment; a set that is used or refused as a unit. */
export interface Snapshot {
  readonly sources: readonly SourceText[];
  /**
   * Objects of a cluster. An invalid object is ignored or keeps its last valid version; otherwise it would block
   * all others, including its repair.
   */
  readonly clusterObjects?: readonly SourceText[];
  /** Kinds of parameters (`APIVERSION KIND`) of the cluster that may not be read. */
  readonly unreadableKinds?: readonly string[];
  /** The version of the cluster that they are from. */
  readonly clusterVersion?: string | undefined;
  /** Problems with sources that could not be read. */
  readonly problems: readonly Problem[];
}
