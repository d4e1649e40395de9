import { traceScalar } from '@kubeadmit/manifest/unstable-internal';
import { contentOf, type ScalarNode } from './nodes.ts';

/** The value of a scalar together with the place that each of its UTF-16 units is written at. */
export class ScalarText {
  readonly value: string;
  /** One more than the value has units. */
  readonly #offsets: readonly number[];

  constructor(text: string, node: ScalarNode) {
    const { style, indent } = node;
    const traced = traceScalar(text, { style, ...contentOf(node), indent });
    this.value = traced.text;
    this.#offsets = traced.offsets;
  }

  /** The index in the document at which a unit of the value is written. */
  toDocument(within: number): number {
    return this.#offsets[Math.min(Math.max(within, 0), this.#offsets.length - 1)] ?? 0;
  }

  /** The unit of the value that is written at an index of the document, or the last one before it. */
  toValue(offset: number): number {
    let low = 0;
    let high = this.#offsets.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#offsets[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    // Units that are written at one place belong to the first of them.
    while (low > 0 && this.#offsets[low - 1] === this.#offsets[low]) low--;
    return low;
  }
}
