import { Histogram, type HistogramConfiguration } from 'prom-client';

/** The durations of one combination of labels. */
export interface Series {
  /** Counts a duration, in seconds. */
  observe(seconds: number): void;
}

type Collected = Awaited<ReturnType<Histogram['get']>>;

/**
 * A histogram of durations whose labels are looked up once: prom-client writes the labels and the bounds of buckets as
 * text for every observation, which takes longer than all else about it.
 */
export class Durations extends Histogram {
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #series: Counts[] = [];

  constructor(options: HistogramConfiguration<string> & { readonly buckets: number[] }) {
    super(options);
    this.#name = options.name;
    this.#bounds = options.buckets;
  }

  /** Begins to count the durations of a combination of labels, which nobody else counts. */
  of(labels: Readonly<Record<string, string>>): Series {
    const counts = new Counts(labels, this.#bounds);
    this.#series.push(counts);
    return counts;
  }

  override async get(): Promise<Collected> {
    const values = this.#series.flatMap((series) => series.values(this.#name));
    return { ...(await super.get()), values };
  }
}

class Counts implements Series {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Those within each bound and above the one before it. */
  readonly #within: number[];
  #sum = 0;
  #count = 0;

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#within = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.#sum += seconds;
    this.#count++;
    for (let index = 0; index < this.#bounds.length; index++) {
      if (seconds > (this.#bounds[index] as number)) continue;
      this.#within[index] = (this.#within[index] as number) + 1;
      return;
    }
  }

  values(name: string): Collected['values'] {
    if (this.#count === 0) return [];
    const labels = this.#labels;
    let total = 0;
    const buckets = this.#bounds.map((le, index) => {
      total += this.#within[index] as number;
      return { value: total, metricName: `${name}_bucket`, labels: { le, ...labels } };
    });
    return [
      ...buckets,
      { value: this.#count, metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels } },
      { value: this.#sum, metricName: `${name}_sum`, labels },
      { value: this.#count, metricName: `${name}_count`, labels },
    ];
  }
}
