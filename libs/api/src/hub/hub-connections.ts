import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type CancelTimer, RuntimeNotAcceptingWorkError, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { ShutdownTasks, WorkflowLogger } from '@waymark/runtime/adapter';
import { TooManyConnectionsError } from '../answers/api-errors.js';
import { LiveFeed } from '../live/live-feed.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import type { HubCaller } from './hub-access.js';
import { HubConnection } from './hub-connection.js';
import type { HubWire } from './hub-wire.js';
import { InstanceFollower } from './instance-follower.js';
import { NodeStatisticsReader } from './node-statistics-reader.js';

const BEAT_MS = 15_000;

/** All connections of the hub at this node: limits their number, drives their pings, and closes them at shutdown. */
@Injectable()
export class HubConnections implements OnApplicationBootstrap {
  private readonly logger = new WorkflowLogger('WorkflowApi');
  private readonly wires = new Map<HubConnection, HubWire>();
  private cancelBeat: CancelTimer | undefined;
  private isClosed = false;

  constructor(
    private readonly feed: LiveFeed,
    private readonly persistence: WorkflowPersistence,
    private readonly statistics: NodeStatisticsReader,
    private readonly clock: WorkflowClock,
    private readonly shutdown: ShutdownTasks,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  onApplicationBootstrap(): void {
    this.shutdown.add(() => this.close());
  }

  get size(): number {
    return this.wires.size;
  }

  /** @throws TooManyConnectionsError, RuntimeNotAcceptingWorkError */
  requireRoom({ countsAs }: HubCaller): void {
    if (this.isClosed) throw new RuntimeNotAcceptingWorkError('draining');
    const { connections, connectionsPerUser } = this.options.hub || { connections: 0, connectionsPerUser: 0 };
    if (this.size >= connections) throw new TooManyConnectionsError(connections, 'connections');
    let own = 0;
    for (const { caller } of this.wires.keys()) if (caller.countsAs === countsAs) own++;
    if (own >= connectionsPerUser) throw new TooManyConnectionsError(connectionsPerUser, 'connectionsPerUser');
  }

  /** Call `requireRoom` before. */
  open(caller: HubCaller, wire: HubWire): HubConnection {
    const { feed, persistence, statistics, clock } = this;
    const connection = new HubConnection(caller, wire, clock, this.logger);
    const bufferBytes = this.options.liveBufferBytes;
    connection.serve(new InstanceFollower(connection, { feed, persistence, statistics, clock, bufferBytes }));
    this.wires.set(connection, wire);
    if (!this.cancelBeat) this.beat();
    return connection;
  }

  /** The transport has closed. */
  remove(connection: HubConnection): void {
    connection.lost();
    this.wires.delete(connection);
    if (this.size > 0) return;
    this.cancelBeat?.();
    this.cancelBeat = undefined;
  }

  private beat(): void {
    this.cancelBeat = this.clock.setTimer(
      () => {
        const now = this.clock.monotonic();
        for (const [connection, wire] of this.wires) {
          connection.beat(now);
          wire.beat?.(now);
        }
        this.cancelBeat = undefined;
        if (this.size > 0) this.beat();
      },
      BEAT_MS,
      { isPoll: true },
    );
  }

  private async close(): Promise<void> {
    this.isClosed = true;
    for (const [connection, wire] of this.wires) {
      if (connection.isClosed) wire.cut();
      else connection.end(true);
    }
    // A client of long polling may never fetch its last message; waiting for it would keep the process alive.
    this.cancelBeat?.();
    this.cancelBeat = undefined;
  }
}
