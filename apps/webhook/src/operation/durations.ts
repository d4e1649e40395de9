import type { Histogram, Metric, Registry } from 'prom-client';

/** The durations of one combination of labels. */
export interface Series {
  /** Counts a duration, in seconds. */
  observe(seconds: number): void;
}

/** The name, labels and buckets of a histogram. */
export interface DurationsOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
  /** The upper bounds of the buckets in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly register: Registry;
}

interface Collectable {
  readonly name: string;
  get(): Promise<unknown>;
}

type Values = Awaited<ReturnType<Histogram['get']>>['values'];

/**
 * A histogram of durations that looks up labels once per series.
 *
 * prom-client formats labels and bucket bounds for every observation, which takes longer than everything else in
 * it.
 */
export class Durations<Label extends string> implements Collectable {
  readonly name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series: Counts[] = [];

  constructor({ name, help, buckets, register }: DurationsOptions<Label>) {
    this.name = name;
    this.#help = help;
    this.#bounds = buckets;
    register.registerMetric(this as unknown as Metric);
  }

  /** Starts the series of a combination of labels, which must not have one yet. */
  of(labels: Readonly<Record<Label, string>>): Series {
    const counts = new Counts(labels, this.#bounds);
    this.#series.push(counts);
    return counts;
  }

  /** Returns the values in the form of prom-client. */
  async get(): Promise<unknown> {
    const values = this.#series.flatMap((series) => series.values(this.name));
    return { name: this.name, help: this.#help, type: 'histogram', values, aggregator: 'sum' };
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

  values(name: string): Values {
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
