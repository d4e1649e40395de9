import type { Page } from 'playwright-core';

/** The limits for loading a page until its layout works: transferred bytes and number of requests. */
interface Budget {
  readonly script: number;
  readonly style: number;
  readonly other: number;
  readonly requests: number;
}

/**
 * Budgets for those Lighthouse measurements that do not depend on the load of the machine.
 *
 * Lighthouse itself is not a dependency: 13.x requires Node 22.19, but this repository builds on Node 20, and 12.x
 * adds 150 packages with 190 MB. Its accessibility rules are those of axe-core, which has separate tests. Its
 * scores are recorded by `pnpm run lighthouse`.
 */
export const budgets = {
  /** With its moving example, whose engines are in a worker. */
  home: { script: 400_000, style: 22_000, other: 5_000, requests: 20 },
  /** Any other page. */
  page: { script: 80_000, style: 22_000, other: 5_000, requests: 14 },
  /** With its editor, the language service and the examples; a separate test covers its first verdict. */
  playground: { script: 620_000, style: 22_000, other: 5_000, requests: 30 },
} as const satisfies Readonly<Record<string, Budget>>;

/** Returns the exceeded limits of a budget and all other faults that readers would notice. */
export function beyond(cost: PageCost, budget: Budget): string[] {
  const names = ['script', 'style', 'other', 'requests'] as const;
  return [
    ...names
      .filter((name) => cost[name] > budget[name])
      .map((name) => `${name}: ${cost[name]} of ${budget[name]}`),
    // One style sheet, without which a page cannot be drawn.
    ...(cost.blocking.length > 1 ? [`blocking: ${cost.blocking.join(' ')}`] : []),
    // Lighthouse considers values up to 0.1 good.
    ...(cost.layoutShift > 0.05 ? [`moves by ${cost.layoutShift}`] : []),
    ...cost.faults,
  ];
}

/** The resources that a page loaded, and the faults that would lower its Lighthouse score. */
export interface PageCost {
  readonly script: number;
  readonly style: number;
  readonly other: number;
  readonly requests: number;
  /** Files that keep the page from being drawn. */
  readonly blocking: readonly string[];
  readonly layoutShift: number;
  readonly faults: readonly string[];
}

/** Measures an open page whose layout works. */
export async function costOf(page: Page): Promise<PageCost> {
  const { files, layoutShift, links, pictures, ids, ...facts } = await page.evaluate(readFacts);
  const bytes = (type: 'script' | 'style' | 'other'): number =>
    files.filter((file) => typeOf(file.path) === type).reduce((sum, file) => sum + file.bytes, 0);
  return {
    script: bytes('script'),
    style: bytes('style'),
    other: bytes('other'),
    requests: files.length,
    blocking: files
      .filter(({ isBlocking }) => isBlocking)
      .map(({ path }) => path.replace(/\.[\w-]{8}\./, '.')),
    layoutShift,
    faults: [
      ...Object.entries(facts).flatMap(([fault, isThere]) => (isThere ? [fault] : [])),
      ...pictures.filter(({ isBroken }) => isBroken).map(({ src }) => `broken: ${src}`),
      ...pictures.filter(({ hasWords }) => !hasWords).map(({ src }) => `no words for ${src}`),
      ...links
        .filter(({ words }) => words === '' || /^(?:(?:click )?here|more|link|this)$/i.test(words))
        .map(({ href, words }) => `a link to ${href} says "${words}"`),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: #${id}`),
    ],
  };
}

function typeOf(path: string): 'script' | 'style' | 'other' {
  if (path.endsWith('.js')) return 'script';
  return path.endsWith('.css') ? 'style' : 'other';
}

/** Runs in the page. */
async function readFacts() {
  // Functions have no names here: the page does not know the helper that tsx adds for names.
  const files = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
    (file) => ({
      path: new URL(file.name).pathname,
      bytes: file.encodedBodySize,
      isBlocking:
        (file as { readonly renderBlockingStatus?: string }).renderBlockingStatus === 'blocking',
    }),
  );
  const layoutShift = await new Promise<number>((resolve) => {
    // Earlier shifts are reported together; without shifts, nothing is reported.
    new PerformanceObserver((list) => {
      resolve(
        list
          .getEntries()
          .reduce((sum, entry) => sum + (entry as unknown as { readonly value: number }).value, 0),
      );
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(resolve, 100, 0);
  });
  const { clientWidth, scrollWidth, lang } = document.documentElement;
  return {
    files,
    layoutShift,
    links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map((link) => ({
      href: link.href,
      words: `${link.textContent ?? ''} ${link.ariaLabel ?? ''} ${link.title}`.trim(),
    })),
    pictures: [...document.querySelectorAll<HTMLImageElement>('img[src]')].map((picture) => ({
      src: picture.src,
      hasWords: picture.hasAttribute('alt'),
      isBroken: picture.complete && picture.naturalWidth === 0,
    })),
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    'no doctype': document.doctype?.name !== 'html',
    'another encoding than UTF-8': document.characterSet !== 'UTF-8',
    'no language': lang !== 'en',
    'no viewport': document.querySelector('meta[name=viewport]') === null,
    'not one first heading': document.querySelectorAll('h1').length !== 1,
    'a script that blocks':
      document.querySelector('script[src]:not([type=module], [async], [defer])') !== null,
    'wider than its window': scrollWidth > clientWidth,
  };
}
