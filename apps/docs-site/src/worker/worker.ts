import { answerLine } from './answer-line.ts';
import { explain } from './explain.ts';
import { judge } from './judge.ts';
import { judgedEarly, judgeEarly } from './judge-early.ts';
import type { Numbered, Reply } from './protocol.ts';

declare const self: DedicatedWorkerGlobalScope;

const beatMilliseconds = 1_000;

self.onmessage = ({ data }: MessageEvent<Numbered>) => {
  const beat = (): void => self.postMessage({ number: data.number, isListening: true });
  beat();
  const beats = setInterval(beat, beatMilliseconds);
  void reply(data).then((message) => {
    clearInterval(beats);
    self.postMessage(message);
  });
};

// The page that started it before it can ask anything.
if (self.name === 'early') judgeEarly((answer) => self.postMessage(answer));

async function reply({ number, question }: Numbered): Promise<Reply> {
  try {
    switch (question.type) {
      case 'ask':
        return { number, answer: await answerLine(question.command, question.line) };
      case 'judge':
        return { number, answer: await (judgedEarly(question.setting) ?? judge(question.setting)) };
      case 'explain':
        return { number, answer: await explain(question.setting) };
      case 'lint':
        // Loaded after the first verdict, which does not wait for it.
        return { number, answer: await (await import('./language.ts')).lint(question.setting) };
      case 'convert':
        return { number, answer: await (await import('./convert.ts')).convert(question.setting) };
      case 'prove':
        return { number, answer: await (await import('./prove.ts')).prove(question.setting) };
      case 'assist': {
        const { assist } = await import('./language.ts');
        return { number, answer: await assist(question.setting, question.question) };
      }
      default:
        return question satisfies never;
    }
  } catch (error) {
    return {
      number,
      problem: `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`,
    };
  }
}
