import { groupBy } from '@kubeadmit/base';

/** A selector that was evaluated without the labels of a namespace. */
export interface AssumedSelector {
  readonly namespace: string;
  /** The selector and its assumed result, in words. */
  readonly assumption: string;
}

/** How many selectors a sentence about a namespace names. */
const mostSelectors = 3;

/** Returns a sentence for each missing namespace, with the selectors that needed its labels. */
export function assumedNamespaceTexts(assumed: Iterable<AssumedSelector>): readonly string[] {
  const byNamespace = groupBy(assumed, ({ namespace }) => namespace);
  return [...byNamespace].map(([namespace, selectors]) => {
    const all = [...new Set(selectors.map(({ assumption }) => assumption))];
    const more = all.length - mostSelectors;
    const rest = more > 0 ? `; ${more} more ${more === 1 ? 'selector' : 'selectors'} likewise` : '';
    return `Namespace ${namespace} is not among the inputs; ${all.slice(0, mostSelectors).join('; ')}${rest}; add the Namespace with its labels`;
  });
}
