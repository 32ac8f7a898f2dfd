import { Activity, ActivityBase, type ActivityExecutionContext, Input, Output } from '@waymark/nestjs';
import { Bank, Carrier, Warehouse } from './services.js';

@Activity({ category: 'Orders', description: 'Reserves pieces in the warehouse.' })
export class ReserveStock extends ActivityBase {
  @Input() item!: string;
  @Input() count!: number;
  @Output({ type: 'String' }) reservation?: string;

  constructor(private readonly warehouse: Warehouse) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.reservation = this.warehouse.reserve(this.item, this.count, ctx.idempotencyKey);
  }
}

@Activity({ category: 'Orders', description: 'Gives a reservation back.' })
export class ReleaseStock extends ActivityBase {
  @Input() reservation!: string;

  constructor(private readonly warehouse: Warehouse) {
    super();
  }

  execute(): void {
    this.warehouse.giveBack(this.reservation);
  }
}

@Activity({ category: 'Orders', description: 'Charges a card.' })
export class ChargeCard extends ActivityBase {
  @Input() card!: string;
  @Input() cents!: number;
  @Output({ type: 'String' }) payment?: string;

  constructor(private readonly bank: Bank) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.payment = this.bank.charge(this.card, this.cents, ctx.idempotencyKey);
  }
}

@Activity({ category: 'Orders', description: 'Gives the money back.' })
export class RefundPayment extends ActivityBase {
  @Input() payment!: string;

  constructor(private readonly bank: Bank) {
    super();
  }

  execute(): void {
    this.bank.giveBack(this.payment);
  }
}

@Activity({ category: 'Orders', description: 'Hands the parcel over.' })
export class ShipOrder extends ActivityBase {
  @Input() item!: string;

  constructor(private readonly carrier: Carrier) {
    super();
  }

  execute(ctx: ActivityExecutionContext): void {
    this.carrier.ship(this.item, ctx.idempotencyKey);
  }
}
