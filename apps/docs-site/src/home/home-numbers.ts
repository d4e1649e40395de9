import { withBase } from 'vitepress';
import { type FunctionalComponent, h, type VNode } from 'vue';
import { data } from './numbers.data.ts';

/** Figures about conformance and speed, with links to the evidence. */
export const HomeNumbers: FunctionalComponent = () =>
  h('ul', { class: 'home-numbers' }, [
    shownNumber(
      '/conformance.html',
      data.cases.toLocaleString('en'),
      'recorded answers of kube-apiserver and Kyverno, compared byte for byte in each test run',
    ),
    shownNumber(
      '/performance.html',
      `${data.celGo}×`,
      'as fast as cel-go on policy expressions, at the median, costs counted',
    ),
    shownNumber(
      '/performance.html',
      `${data.celJs}×`,
      'as fast as the fastest other CEL library for JavaScript, which does not count costs',
    ),
  ]);

function shownNumber(path: string, figure: string, words: string): VNode {
  return h('li', [h('a', { href: withBase(path) }, [h('b', figure), h('span', words)])]);
}
