import type { JsonObject } from '@kubeadmit/apimachinery';

/** What the JMESPath function `items` gives: a list for some functions and unknown to others. */
export class Items {
  readonly list: readonly JsonObject[];

  constructor(list: readonly JsonObject[]) {
    this.list = list;
  }

  toJSON(): readonly JsonObject[] {
    return this.list;
  }
}
