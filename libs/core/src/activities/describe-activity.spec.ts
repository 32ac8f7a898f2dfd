import { describe, expect, it } from '@jest/globals';
import { ActivityMethod, methodActivities } from '../builder/activity-methods.js';
import { Activity, Children, type Constructor, Input, Output, Port } from './decorators.js';
import { describeActivity } from './describe-activity.js';

const failure = (activityClass: Constructor): string => {
  try {
    describeActivity(activityClass);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
  return 'described';
};

class Base {
  @Input({ name: 'Amount' }) amount?: number;
  @Output() total?: number;
}

describe('a class whose members could not be told apart', () => {
  it('has an input and an output on one property', () => {
    @Activity()
    class Both {
      @Input() @Output() count?: number;
    }
    expect(failure(Both)).toMatch(/^WM1044: Class Both .*'count' is both an input and an output/);
  });

  it('has properties that differ in case only', () => {
    @Activity()
    class Cases {
      @Input() url?: string;
      @Port() Url?: unknown;
    }
    expect(failure(Cases)).toMatch(/^WM1044: .*'url' and 'Url'/);
  });

  it('has two inputs, outputs or ports of one name', () => {
    @Activity()
    class Inputs {
      @Input({ name: 'Amount' }) net?: number;
      @Input({ name: 'Amount' }) gross?: number;
    }
    @Activity()
    class Outputs {
      @Output({ name: 'Sum' }) net?: number;
      @Output() sum?: number;
    }
    @Activity()
    class Ports {
      @Port({ name: 'Then' }) first?: unknown;
      @Port() then?: unknown;
    }
    expect([Inputs, Outputs, Ports].map(failure)).toEqual([
      expect.stringMatching(/^WM1044: .*'net' and 'gross'.* 'Amount'/),
      expect.stringMatching(/^WM1044: .*'net' and 'sum'.* 'Sum'/),
      expect.stringMatching(/^WM1044: .*'first' and 'then'.* 'Then'/),
    ]);
  });

  it('makes an output of what its base has as an input', () => {
    @Activity()
    class Turned extends Base {
      @Output() declare amount?: number;
    }
    expect(failure(Turned)).toMatch(/'amount' is both an input and an output/);
  });

  it('has an output with a getter', () => {
    @Activity()
    class Getter {
      @Output() get total(): number {
        return 1;
      }
    }
    expect(failure(Getter)).toMatch(/^WM1044: .*'total'.* execute\(\)/);
  });

  it('has an input called like the output of a method', () => {
    class Host {
      @ActivityMethod({ inputs: { output: {} } }) take(): void {}
    }
    expect(failure(methodActivities(Host, new Host())[0]!.activityClass)).toMatch(/WM1044: Class Host\.take\(\)/);
  });

  it('is described where a subclass declares a member anew, and an input and an output share only their name', () => {
    @Activity()
    class Anew extends Base {
      @Input({ name: 'Amount', description: 'anew' }) declare amount?: number;
      @Output({ name: 'Amount' }) amountAfter?: number;
      @Children() steps?: unknown[];
    }
    expect(failure(Anew)).toBe('described');
    expect(describeActivity(Anew).inputs).toMatchObject([{ name: 'Amount', description: 'anew' }]);
  });
});
