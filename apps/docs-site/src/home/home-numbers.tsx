import { withBase } from 'vitepress';
import type { FunctionalComponent } from 'vue';
import { data } from './numbers.data.ts';

/** What is proven and how fast it is, with links to how that is known. */
export const HomeNumbers: FunctionalComponent = () => (
  <ul class="home-numbers">
    <li>
      <a href={withBase('/conformance.html')}>
        <b>{data.cases.toLocaleString('en')}</b>
        <span>
          recorded answers of kube-apiserver and Kyverno, equal byte for byte in each test run
        </span>
      </a>
    </li>
    <li>
      <a href={withBase('/performance.html')}>
        <b>{data.celGo}×</b>
        <span>as fast as cel-go on policy expressions, at the median, costs counted</span>
      </a>
    </li>
    <li>
      <a href={withBase('/performance.html')}>
        <b>{data.celJs}×</b>
        <span>as fast as the fastest CEL library for JavaScript, which counts no costs</span>
      </a>
    </li>
  </ul>
);
