// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo.HivePrivilege;
import com.facebook.presto.hive.metastore.MetastoreOperationResult;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.PrincipalType;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** An in-memory metastore with one table, {@code db.t}, with one partition column. It records its calls. Thread-safe. */
final class TestingMetastore
{
    private static final Object NO_ANSWER = new Object(); // for methods that return nothing

    private final List<String> calls = new ArrayList<>();
    private final TreeMap<String, String> partitions = new TreeMap<>();
    private final Map<String, Runnable> during = new HashMap<>();
    private final PrestoPrincipal everybody = new PrestoPrincipal(PrincipalType.ROLE, "public");
    private String owner = "first";
    private HivePrivilege privilege = HivePrivilege.SELECT;
    private @Nullable RuntimeException failure;
    private @Nullable RuntimeException failureOfOne;
    private String one = "";

    ExtendedHiveMetastore metastore()
    {
        return (ExtendedHiveMetastore) Proxy.newProxyInstance(
                ExtendedHiveMetastore.class.getClassLoader(),
                new Class<?>[] {ExtendedHiveMetastore.class},
                (proxy, method, arguments) -> call(method.getName(), arguments));
    }

    /** Sets a partition's location. */
    synchronized void putPartition(String value, String location)
    {
        partitions.put(value, location);
    }

    synchronized void setOwner(String owner)
    {
        this.owner = owner;
    }

    /** Sets the only privilege, which everybody has. */
    synchronized void setPrivilege(HivePrivilege privilege)
    {
        this.privilege = privilege;
    }

    /** Fails each call from now on; null stops this. */
    synchronized void fail(@Nullable RuntimeException failure)
    {
        this.failure = failure;
    }

    /** Fails each call that requests this partition; null omits it from the answer instead. */
    synchronized void failFor(String value, @Nullable RuntimeException failureOfThis)
    {
        one = value;
        failureOfOne = failureOfThis;
    }

    /** Runs the action once, after the answer of the next call of this name is determined and before it is returned. */
    synchronized void during(String call, Runnable action)
    {
        during.put(call, action);
    }

    /** Returns the calls since the last invocation. */
    synchronized List<String> takeCalls()
    {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    private Object call(String name, Object[] arguments)
    {
        Object answer;
        Runnable action;
        synchronized (this) {
            calls.add(name + details(name, arguments));
            if (failure != null) {
                throw failure;
            }
            answer = answer(name, arguments);
            action = during.remove(name);
        }
        if (action != null) {
            action.run();
        }
        return answer;
    }

    private static String details(String name, Object[] arguments)
    {
        if (name.equals("getPartitionsByNames")) {
            return " " + names(arguments[3]);
        }
        return name.equals("getPartitionStatistics") ? " " + arguments[3] : "";
    }

    private Object answer(String name, Object[] arguments)
    {
        return switch (name) {
            case "getTable" -> Optional.of(table());
            case "getAllDatabases" -> List.of("db");
            case "getTableStatistics" -> PartitionStatistics.empty();
            case "getPartitionNames" -> Optional.of(allNames());
            case "getPartitionNamesByFilter" -> allNames();
            case "getPartitionsByNames" -> partitions(names(arguments[3]));
            case "getPartitionStatistics" -> statistics((Collection<?>) arguments[3]);
            case "listTablePrivileges" -> Set.of(new HivePrivilegeInfo(privilege, false, everybody, everybody));
            case "listRoles", "listRoleGrants" -> Set.of();
            case "alterPartition", "replaceTable" -> MetastoreOperationResult.EMPTY_RESULT;
            case "revokeTablePrivileges", "grantRoles", "updatePartitionStatistics" -> NO_ANSWER;
            default -> throw new UnsupportedOperationException(name);
        };
    }

    private List<PartitionNameWithVersion> allNames()
    {
        return partitions.keySet().stream().map(value -> new PartitionNameWithVersion("ds=" + value, Optional.empty())).toList();
    }

    private static List<String> names(Object argument)
    {
        return ((List<?>) argument).stream().map(name -> ((PartitionNameWithVersion) name).getPartitionName()).toList();
    }

    private Map<String, Optional<Partition>> partitions(List<String> names)
    {
        if (failureOfOne != null && names.contains("ds=" + one)) {
            throw failureOfOne;
        }
        Map<String, Optional<Partition>> found = new LinkedHashMap<>();
        names.stream().filter(name -> !name.equals("ds=" + one)).forEach(name -> found.put(name, Optional.ofNullable(partitions.get(name.substring(
                3))).map(location -> partition(name.substring(3),
                        location))));
        return found;
    }

    private static Map<String, PartitionStatistics> statistics(Collection<?> names)
    {
        Map<String, PartitionStatistics> found = new LinkedHashMap<>();
        names.forEach(name -> found.put((String) name, PartitionStatistics.empty()));
        return found;
    }

    static Partition partition(String value, String location)
    {
        return Partition.builder()
                .setCatalogName(Optional.empty())
                .setDatabaseName("db")
                .setTableName("t")
                .setValues(List.of(value))
                .setColumns(List.of())
                .setParameters(Map.of())
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation(location))
                .build();
    }

    private Table table()
    {
        return Table.builder()
                .setDatabaseName("db")
                .setTableName("t")
                .setOwner(owner)
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of())
                .setPartitionColumns(List.of())
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation("s3://lake/t"))
                .build();
    }
}
