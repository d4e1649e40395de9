/** From which version of a group to which other an object is converted, by a server of which minor version. */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly minor: number;
}
