import type { JsonObject } from '@kubeadmit/apimachinery';

/** The result of the JMESPath function `items`: a list for some functions and unknown to others. */
export class Items {
  readonly list: readonly JsonObject[];

  constructor(list: readonly JsonObject[]) {
    this.list = list;
  }

  toJSON(): readonly JsonObject[] {
    return this.list;
  }
}
