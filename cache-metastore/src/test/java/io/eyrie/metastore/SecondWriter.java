// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.HiveObjectPrivilege;
import org.apache.hadoop.hive.metastore.api.HiveObjectRef;
import org.apache.hadoop.hive.metastore.api.HiveObjectType;
import org.apache.hadoop.hive.metastore.api.Partition;
import org.apache.hadoop.hive.metastore.api.PrincipalType;
import org.apache.hadoop.hive.metastore.api.PrivilegeBag;
import org.apache.hadoop.hive.metastore.api.PrivilegeGrantInfo;
import org.apache.hadoop.hive.metastore.api.Role;
import org.apache.hadoop.hive.metastore.api.SerDeInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransportException;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/** Changes a metastore at random, by thrift, without Presto. It tracks the existing objects. Not thread-safe. */
final class SecondWriter
        implements AutoCloseable
{
    /** The databases that it uses, whether they exist or not. */
    static final List<String> DATABASES = List.of("one", "two", "three");
    /** The tables that it uses in each. */
    static final List<String> TABLES = List.of("a", "b", "c", "d");

    /** The roles that it uses. */
    static final List<String> ROLES = List.of("red", "green");
    /** The user that receives its grants. */
    static final String USER = "ann";

    private static final List<String> PRIVILEGES = List.of("SELECT", "INSERT", "DELETE");
    private static final int PARTITIONS_A_CALL = 1000;
    private static final List<String> VALUES = List.of("1", "2", "3", "x y", "a/b=c", "ünï", "__HIVE_DEFAULT_PARTITION__", "2026-11-21");

    private final Random random;
    private final URI warehouse;
    private final TSocket socket;
    private final ThriftHiveMetastore.Client client;
    private final Map<String, Map<String, Set<String>>> databases = new TreeMap<>();
    private final Set<String> roles = new TreeSet<>();
    private final Set<String> granted = new TreeSet<>();
    private int serial;

    SecondWriter(URI metastore, URI warehouse, Random random)
            throws TTransportException
    {
        this.random = random;
        this.warehouse = warehouse;
        this.socket = new TSocket(metastore.getHost(), metastore.getPort());
        socket.open();
        this.client = new ThriftHiveMetastore.Client(new TBinaryProtocol(socket));
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** Makes one change and returns its description. */
    String change()
            throws TException
    {
        while (true) {
            String done = switch (random.nextInt(20)) {
                case 0 -> createDatabase();
                case 1 -> random.nextInt(3) == 0 ? dropDatabase() : alterDatabase();
                case 2, 3 -> createTable();
                case 4 -> dropTable();
                case 5 -> renameTable();
                case 6 -> alterTable();
                case 7, 8, 9, 10 -> addPartitions();
                case 11, 12 -> alterPartition();
                case 13 -> renamePartition();
                case 14 -> changeRole();
                case 15 -> grantOrRevokeRole();
                case 16, 17 -> grantOrRevokePrivilege();
                default -> dropPartition();
            };
            if (!done.isEmpty()) {
                return done;
            }
        }
    }

    /** Drops all databases that it may have created. */
    void dropEverything()
            throws TException
    {
        for (String database : DATABASES) {
            if (client.get_all_databases().contains(database)) {
                client.drop_database(database, true, true);
            }
        }
        databases.clear();
    }

    /** Creates a database. */
    void createDatabase(String name)
            throws TException
    {
        client.create_database(new Database(name, "", warehouse.resolve(name + ".db").toString(), new HashMap<>()));
    }

    /** Creates a table with {@code columns} columns and partitions {@code p=0}, {@code p=1} and so on. */
    void createTable(String database, String name, int columns, int partitions)
            throws TException
    {
        Table table = table(database, name, List.of(new FieldSchema("p", "string", "")));
        table.getSd().setCols(IntStream.range(0, columns).mapToObj(i -> new FieldSchema("column_number_" + i, "bigint", "a comment")).toList());
        client.create_table(table);
        for (int from = 0; from < partitions; from += PARTITIONS_A_CALL) {
            client.add_partitions(IntStream.range(from, Math.min(from + PARTITIONS_A_CALL, partitions)).mapToObj(i -> {
                Partition partition = partition(database, name, List.of(Integer.toString(i)));
                partition.setSd(table.getSd().deepCopy());
                // one directory for all, because directories are not measured
                partition.getSd().setLocation(location(database, name));
                return partition;
            }).toList());
        }
    }

    /** Drops a table. */
    void dropTable(String database, String table)
            throws TException
    {
        client.drop_table(database, table, true);
    }

    /** Grants or revokes a privilege of {@link #USER} on a table, and creates or drops a role. */
    void changePrivileges(String database, String table)
            throws TException
    {
        grantOrRevoke(database, table, USER, PrincipalType.USER, "UPDATE");
        changeRole();
    }

    /** Alters a partition. */
    void touchPartition(String database, String table, String value)
            throws TException
    {
        Partition altered = client.get_partition(database, table, List.of(value));
        altered.getParameters().put("serial", Integer.toString(++serial));
        client.alter_partition(database, table, altered);
    }

    private String createDatabase()
            throws TException
    {
        String name = pick(DATABASES);
        if (databases.containsKey(name)) {
            return "";
        }
        client.create_database(new Database(name, "made at " + ++serial, warehouse.resolve(name + ".db").toString(), new HashMap<>()));
        databases.put(name, new TreeMap<>());
        return "create database " + name;
    }

    private String alterDatabase()
            throws TException
    {
        if (databases.isEmpty()) {
            return "";
        }
        String name = pick(List.copyOf(databases.keySet()));
        Database database = client.get_database(name);
        database.setParameters(Map.of("serial", Integer.toString(++serial)));
        client.alter_database(name, database);
        return "alter database " + name;
    }

    private String dropDatabase()
            throws TException
    {
        if (databases.isEmpty()) {
            return "";
        }
        String name = pick(List.copyOf(databases.keySet()));
        client.drop_database(name, true, true);
        databases.remove(name);
        return "drop database " + name;
    }

    private String createTable()
            throws TException
    {
        if (databases.isEmpty()) {
            return "";
        }
        String database = pick(List.copyOf(databases.keySet()));
        String name = pick(TABLES);
        if (tables(database).containsKey(name)) {
            return "";
        }
        client.create_table(table(database, name, List.of(new FieldSchema("p", "string", ""), new FieldSchema("q", "string", ""))));
        tables(database).put(name, new TreeSet<>());
        return "create table " + database + "." + name;
    }

    private String dropTable()
            throws TException
    {
        return withTable((database, table) -> {
            client.drop_table(database, table, true);
            tables(database).remove(table);
            return "drop table";
        });
    }

    private String renameTable()
            throws TException
    {
        return withTable((database, table) -> {
            String toDatabase = pick(List.copyOf(databases.keySet()));
            String to = pick(TABLES);
            if (tables(toDatabase).containsKey(to)) {
                return "";
            }
            Table altered = client.get_table(database, table);
            altered.setDbName(toDatabase);
            altered.setTableName(to);
            client.alter_table(database, table, altered);
            tables(toDatabase).put(to, requireNonNull(tables(database).remove(table)));
            return "rename to " + toDatabase + "." + to;
        });
    }

    private String alterTable()
            throws TException
    {
        return withTable((database, table) -> {
            Table altered = client.get_table(database, table);
            altered.getParameters().put("serial", Integer.toString(++serial));
            altered.getSd().addToCols(new FieldSchema("c" + serial, "bigint", ""));
            client.alter_table(database, table, altered);
            return "alter table";
        });
    }

    private String addPartitions()
            throws TException
    {
        return withTable((database, table) -> {
            TreeMap<String, Partition> added = new TreeMap<>();
            IntStream.rangeClosed(0, random.nextInt(20)).forEach(i -> {
                List<String> values = values();
                if (!partitions(database, table).contains(String.join("\n", values))) {
                    added.put(String.join("\n", values), partition(database, table, values));
                }
            });
            if (added.isEmpty()) {
                return "";
            }
            client.add_partitions(new ArrayList<>(added.values()));
            partitions(database, table).addAll(added.keySet());
            return "add " + added.keySet();
        });
    }

    private String alterPartition()
            throws TException
    {
        return withPartition((database, table, values) -> {
            Partition altered = client.get_partition(database, table, values);
            altered.getParameters().put("serial", Integer.toString(++serial));
            altered.getSd().setLocation(location(database, table) + "/moved" + serial);
            client.alter_partition(database, table, altered);
            return "alter " + values;
        });
    }

    private String renamePartition()
            throws TException
    {
        return withPartition((database, table, values) -> {
            List<String> to = values();
            if (partitions(database, table).contains(String.join("\n", to))) {
                return "";
            }
            Partition renamed = client.get_partition(database, table, values);
            renamed.setValues(to);
            client.rename_partition(database, table, values, renamed);
            partitions(database, table).remove(String.join("\n", values));
            partitions(database, table).add(String.join("\n", to));
            return "rename " + values + " to " + to;
        });
    }

    private String dropPartition()
            throws TException
    {
        return withPartition((database, table, values) -> {
            client.drop_partition(database, table, values, true);
            partitions(database, table).remove(String.join("\n", values));
            return "drop " + values;
        });
    }

    private String changeRole()
            throws TException
    {
        String role = pick(ROLES);
        if (roles.add(role)) {
            client.create_role(new Role(role, 0, "writer"));
            return "create role " + role;
        }
        client.drop_role(role);
        roles.remove(role);
        granted.remove(role);
        return "drop role " + role;
    }

    private String grantOrRevokeRole()
            throws TException
    {
        if (roles.isEmpty()) {
            return "";
        }
        String role = pick(List.copyOf(roles));
        if (granted.add(role)) {
            client.grant_role(role, USER, PrincipalType.USER, "writer", PrincipalType.USER, random.nextBoolean());
            return "grant role " + role;
        }
        client.revoke_role(role, USER, PrincipalType.USER);
        granted.remove(role);
        return "revoke role " + role;
    }

    private String grantOrRevokePrivilege()
            throws TException
    {
        return withTable((database, table) -> {
            boolean toRole = !roles.isEmpty() && random.nextBoolean();
            String principal = toRole ? pick(List.copyOf(roles)) : USER;
            return grantOrRevoke(database, table, principal, toRole ? PrincipalType.ROLE : PrincipalType.USER, pick(PRIVILEGES));
        });
    }

    /* Revokes the privilege if it is granted, and grants it otherwise. */
    private String grantOrRevoke(String database, String table, String principal, PrincipalType type, String privilege)
            throws TException
    {
        HiveObjectRef object = new HiveObjectRef(HiveObjectType.TABLE, database, table, List.of(), "");
        boolean there = client.list_privileges(principal, type, object).stream().anyMatch(one -> one.getGrantInfo().getPrivilege().equals(privilege));
        HiveObjectPrivilege changed = new HiveObjectPrivilege();
        changed.setHiveObject(object);
        changed.setPrincipalName(principal);
        changed.setPrincipalType(type);
        changed.setGrantInfo(new PrivilegeGrantInfo(privilege, 0, "writer", PrincipalType.USER, false));
        PrivilegeBag bag = new PrivilegeBag(List.of(changed));
        if (there) {
            client.revoke_privileges(bag);
            return "revoke " + privilege + " from " + principal;
        }
        client.grant_privileges(bag);
        return "grant " + privilege + " to " + principal;
    }

    private Map<String, Set<String>> tables(String database)
    {
        return requireNonNull(databases.get(database));
    }

    private Set<String> partitions(String database, String table)
    {
        return requireNonNull(tables(database).get(table));
    }

    private List<String> values()
    {
        return List.of(pick(VALUES), pick(VALUES));
    }

    private Table table(String database, String name, List<FieldSchema> partitionKeys)
    {
        Table table = new Table();
        table.setDbName(database);
        table.setTableName(name);
        table.setOwner("writer");
        table.setTableType("EXTERNAL_TABLE");
        table.setSd(storage(location(database, name)));
        table.setPartitionKeys(partitionKeys);
        table.setParameters(new HashMap<>(Map.of("EXTERNAL", "TRUE", "serial", Integer.toString(++serial))));
        return table;
    }

    private Partition partition(String database, String table, List<String> values)
    {
        Partition partition = new Partition();
        partition.setDbName(database);
        partition.setTableName(table);
        partition.setValues(values);
        partition.setSd(storage(location(database, table) + "/" + ++serial));
        partition.setParameters(new HashMap<>(Map.of("serial", Integer.toString(serial))));
        return partition;
    }

    private static StorageDescriptor storage(String location)
    {
        StorageDescriptor storage = new StorageDescriptor();
        storage.setCols(new ArrayList<>(List.of(new FieldSchema("id", "bigint", ""), new FieldSchema("name", "string", "comment"))));
        storage.setLocation(location);
        storage.setInputFormat("org.apache.hadoop.hive.ql.io.orc.OrcInputFormat");
        storage.setOutputFormat("org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat");
        storage.setSerdeInfo(new SerDeInfo("", "org.apache.hadoop.hive.ql.io.orc.OrcSerde", new HashMap<>()));
        storage.setBucketCols(List.of());
        storage.setSortCols(List.of());
        storage.setParameters(new HashMap<>());
        return storage;
    }

    private String location(String database, String table)
    {
        return warehouse.resolve("external/" + database + "/" + table).toString();
    }

    private String withTable(TableChange change)
            throws TException
    {
        List<String> there = databases.entrySet().stream()
                .flatMap(database -> database.getValue().keySet().stream().map(table -> database.getKey() + "." + table))
                .toList();
        if (there.isEmpty()) {
            return "";
        }
        String[] name = pick(there).split("\\.", 2);
        String done = change.make(name[0], name[1]);
        return done.isEmpty() ? "" : name[0] + "." + name[1] + ": " + done;
    }

    private String withPartition(PartitionChange change)
            throws TException
    {
        return withTable((database, table) -> {
            List<String> there = List.copyOf(partitions(database, table));
            return there.isEmpty() ? "" : change.make(database, table, List.of(pick(there).split("\n", -1)));
        });
    }

    private <T> T pick(List<T> from)
    {
        return from.get(random.nextInt(from.size()));
    }

    private interface TableChange
    {
        String make(String database, String table)
                throws TException;
    }

    private interface PartitionChange
    {
        String make(String database, String table, List<String> values)
                throws TException;
    }
}
