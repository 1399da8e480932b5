// A startup script of jshell: jshell --class-path ... --startup DEFAULT --startup millrace.jsh
import static dev.millrace.aggregate.Aggregates.*;
import static dev.millrace.expression.Expressions.*;
import static dev.millrace.notebook.Notebook.show;
import static dev.millrace.notebook.Notebook.sql;
import static dev.millrace.notebook.Notebook.table;

import dev.millrace.*;
import dev.millrace.batch.*;
import dev.millrace.compute.*;
import dev.millrace.notebook.Notebook;
import dev.millrace.relation.*;
import dev.millrace.settings.*;

Session session = Session.open();
Notebook.use(session);
