/** The browser measurements of the built site by `pnpm run measure`, which the performance page shows. */
export interface Figures {
  /** Bytes after gzip that are loaded until the first verdict. */
  readonly firstLoad: { readonly playground: number; readonly home: number };
  /** Milliseconds from the request of the page until its first verdict is painted, the main thread slowed. */
  readonly firstVerdict: Times & { readonly rate: number };
  /** The same as the first page of a browser that was just started. */
  readonly coldVerdict: Times & { readonly rate: number };
  /** Milliseconds from a key until the verdicts are painted, over all examples. */
  readonly typing: Times;
  readonly machine: string;
}

interface Times {
  readonly runs: number;
  readonly median: number;
  readonly largest: number;
}

/** The Lighthouse scores of one page of each kind by `pnpm run lighthouse`, from 0 to 100. */
export interface LighthouseFigures {
  readonly version: string;
  readonly results: readonly {
    readonly page: string;
    readonly device: string;
    readonly performance: number;
    readonly accessibility: number;
    readonly bestPractices: number;
    readonly seo: number;
    readonly blockingMilliseconds: number;
    /** As Lighthouse counts it: up to 0.1 is good. */
    readonly layoutShift: number;
  }[];
}
