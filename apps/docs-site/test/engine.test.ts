import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Engine } from '../src/engine/engine.ts';
import { earlyAnswer } from '../src/engine/start-worker.ts';
import { plainRequest } from '../src/worker/plain-request.ts';
import type { EarlyAnswer, Numbered, Reply } from '../src/worker/protocol.ts';

/** A worker that answers a line with itself, never answers `hang`, and loads files for `load`. */
class FakeWorker {
  onmessage: ((event: { readonly data: Reply | EarlyAnswer }) => void) | null = null;
  onerror: ((event: { readonly message: string }) => void) | null = null;
  isTerminated = false;

  postMessage({ number, question }: Numbered): void {
    const line = question.type === 'ask' ? question.line : '';
    if (line === 'silent') return;
    const beat = (): void => this.onmessage?.({ data: { number, isListening: true } });
    setTimeout(beat);
    if (line === 'hang') return;
    if (line.startsWith('load')) {
      const beats = setInterval(beat, 500);
      setTimeout(
        () => {
          clearInterval(beats);
          if (!this.isTerminated) this.onmessage?.({ data: { number, answer: line } });
        },
        line === 'load' ? 10_000 : 200_000,
      );
      return;
    }
    setTimeout(() => {
      if (line === 'break') this.onerror?.({ message: 'it broke' });
      else this.onmessage?.({ data: { number, answer: line } });
    }, 1);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

describe('Engine', () => {
  let workers: FakeWorker[];
  let engine: Engine;
  beforeEach(() => {
    vi.useFakeTimers();
    workers = [];
    engine = new Engine({
      start: () => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker as unknown as Worker;
      },
      milliseconds: 1_000,
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const ask = (line: string): Promise<string> =>
    engine.ask<'ask'>({ type: 'ask', command: 'eval', line });
  const askInstead = (line: string): Promise<string> =>
    engine.askInstead<'ask'>({ type: 'ask', command: 'eval', line });

  test('answers one question after the other with one worker', async () => {
    const answers = Promise.all([ask('a'), ask('b')]);
    await vi.runAllTimersAsync();
    expect(await answers).toEqual(['a', 'b']);
    expect(workers).toHaveLength(1);
  });

  test('stops a slow request, and answers the next one with a new worker', async () => {
    const hanging = expect(ask('hang')).rejects.toThrow('stopped after 1 seconds');
    const next = ask('next');
    await vi.runAllTimersAsync();
    await hanging;
    expect(await next).toBe('next');
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  });

  test('does not count the loading time of a worker, up to a minute', async () => {
    const loaded = ask('load');
    await vi.advanceTimersByTimeAsync(11_000);
    expect(await loaded).toBe('load');
    const endless = expect(ask('load without an end')).rejects.toThrow('stopped');
    await vi.advanceTimersByTimeAsync(62_000);
    await endless;
  });

  test('waits for a worker that is not there yet', async () => {
    const silent = expect(ask('silent')).rejects.toThrow('stopped');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(workers[0]?.isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    await silent;
  });

  test('drops waiting requests when a newer one arrives', async () => {
    const current = ask('current');
    const waiting = expect(ask('waiting')).rejects.toThrow('replaced by a newer request');
    const newest = askInstead('newest');
    await vi.runAllTimersAsync();
    await waiting;
    expect(await Promise.all([current, newest])).toEqual(['current', 'newest']);
  });

  test('says that a worker broke, and starts another', async () => {
    const broken = expect(ask('break')).rejects.toThrow('it broke');
    await vi.advanceTimersByTimeAsync(2);
    await broken;
    const next = ask('next');
    await vi.runAllTimersAsync();
    expect(await next).toBe('next');
    expect(workers).toHaveLength(2);
  });

  test('ends its worker', async () => {
    void ask('hang').catch(() => undefined);
    engine.close();
    expect(workers[0]?.isTerminated).toBe(true);
  });
});

describe('earlyAnswer', () => {
  const question = (text: string): EarlyAnswer['question'] => ({
    type: 'judge',
    setting: { files: { 'a.yaml': text }, request: plainRequest, kubernetesVersions: ['1.37'] },
  });
  const told: EarlyAnswer = { question: question('a: 1'), answer: [] };
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    {
      title: 'the question that was foreseen, once',
      early: told,
      text: 'a: 1',
      answers: [[], undefined],
    },
    { title: 'no other', early: told, text: 'a: 2', answers: [undefined, undefined] },
    {
      title: 'nothing while nothing was told',
      early: undefined,
      text: 'a: 1',
      answers: [undefined],
    },
  ])('answers $title', ({ early, text, answers }) => {
    vi.stubGlobal('window', { kubeadmitEarly: early });
    expect(answers.map(() => earlyAnswer(question(text)))).toEqual(answers);
  });

  test('keeps requests that were sent before the worker was ready', async () => {
    const worker = new FakeWorker();
    const engine = new Engine({ start: () => worker as unknown as Worker, milliseconds: 1_000 });
    const answer = engine.ask<'ask'>({ type: 'ask', command: 'eval', line: 'a' });
    worker.onmessage?.({ data: told });
    expect(await answer).toBe('a');
  });
});
