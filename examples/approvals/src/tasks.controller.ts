import { Body, Controller, Get, HttpCode, Param, Post, Req, UseFilters, UseGuards } from '@nestjs/common';
import { IUserTaskService, WaymarkExceptionFilter } from '@waymark/nestjs';
import { PersonGuard, type RequestOfPerson } from './people.js';

/** The list of a person, and what the person does with it. */
@Controller('tasks')
@UseGuards(PersonGuard)
@UseFilters(WaymarkExceptionFilter)
export class TasksController {
  constructor(private readonly tasks: IUserTaskService) {}

  @Get()
  async list(@Req() { person }: RequestOfPerson): Promise<readonly { id: string; title: string | null }[]> {
    const { items } = await this.tasks.list(person, { limit: 50 });
    return items.map(({ id, title }) => ({ id, title: title ?? null }));
  }

  @Post(':id/claim')
  @HttpCode(204)
  async claim(@Req() { person }: RequestOfPerson, @Param('id') id: string): Promise<void> {
    await this.tasks.claim(person, id);
  }

  @Post(':id/complete')
  @HttpCode(204)
  async complete(
    @Req() { person }: RequestOfPerson,
    @Param('id') id: string,
    @Body() { outcome, values }: { outcome: string; values?: Record<string, unknown> },
  ): Promise<void> {
    await this.tasks.complete(person, id, { outcome, values });
  }
}
