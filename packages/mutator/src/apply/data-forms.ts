/** How kube-apiserver represents the lists and maps of expressions in Go. */
export interface DataForms {
  /** Whether a list is data of an object, and not one that an expression built. */
  isData(list: object): boolean;
  /** The Go type of a list or map of the data, such as `v1.Container`; `undefined` where it is JSON. */
  goType?(container: object): string | undefined;
  /** Whether it is a struct to Go. */
  isStruct?(container: object): boolean;
  /** Such a list or map as Go's `%v` prints it. */
  plain?(container: object): string | undefined;
  /** Such a list or map as Go's `%#v` prints it. */
  syntax?(container: object): string | undefined;
}

/** Where nothing is known of the data. */
export const noForms: DataForms = { isData: () => false };
